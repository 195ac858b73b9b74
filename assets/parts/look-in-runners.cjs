// Behind `looking.cjs`, in every process and thread of a runner: at its messages where it sends any, around each world that jest makes, and as the
// process ends. A program that a test starts has nobody's assertions in it.
if (typeof isProgram === 'undefined' || !isProgram) {
  const { builtin, remember } = looking;
  const look = remember(globalThis);
  let isWorld = false;
  const isLoaded = (message) => {
    try {
      if (message === null || message === undefined) return false;
      if (message instanceof Uint8Array) return Buffer.from(message.buffer, message.byteOffset, message.byteLength).includes('onCollected');
      return (
        message?.m === 'onCollected' ||
        message?.message?.m === 'onCollected' ||
        isLoaded(message?.message ?? message?.data ?? message?.r ?? null) === true
      );
    } catch {
      return false;
    }
  };
  const sent = (message) => void (isWorld || look(isLoaded(message) ? 'loaded' : 'sent'));
  const { MessagePort, isMainThread } = builtin('node:worker_threads');
  if (typeof process.send === 'function') {
    const send = process.send;
    process.send = function (message, ...more) {
      sent(message);
      return send.call(this, message, ...more);
    };
  }
  if (!isMainThread) {
    const { postMessage } = MessagePort.prototype;
    MessagePort.prototype.postMessage = function (message, ...more) {
      sent(message);
      return postMessage.call(this, message, ...more);
    };
  }
  process.on('exit', () => void (isWorld || look('end')));
  const { Module } = builtin('node:module');
  const load = Module._load;
  const known = new WeakSet();
  Module._load = function (...given) {
    const found = load.apply(this, given);
    try {
      const Made = found?.TestEnvironment ?? found?.default;
      if (typeof Made === 'function' && typeof Made.prototype?.getVmContext === 'function' && !known.has(Made.prototype)) {
        known.add(Made.prototype);
        const { setup, teardown } = Made.prototype;
        const looks = new WeakMap();
        Made.prototype.setup = async function (...all) {
          isWorld = true;
          const answer = await setup?.apply(this, all);
          const lookAgain = remember(this.global);
          looks.set(this, lookAgain);
          const heard = this.handleTestEvent;
          this.handleTestEvent = async function (event, ...rest) {
            if (event?.name === 'run_start') lookAgain('loaded');
            return heard?.call(this, event, ...rest);
          };
          return answer;
        };
        Made.prototype.teardown = async function (...all) {
          looks.get(this)?.('end');
          return teardown?.apply(this, all);
        };
      }
    } catch {}
    return found;
  };
}
