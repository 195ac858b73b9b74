{
  const Real = Date;
  const now = () => Real.now() + given_shift_ms;
  globalThis.Date = new Proxy(Real, {
    construct: (target, args, made) => Reflect.construct(target, args.length === 0 ? [now()] : args, made),
    apply: (target) => new target(now()).toString(),
    get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
  });
  Real.prototype.constructor = globalThis.Date;
  const format = Object.getOwnPropertyDescriptor(Intl.DateTimeFormat.prototype, 'format').get;
  const { formatToParts } = Intl.DateTimeFormat.prototype;
  Object.defineProperty(Intl.DateTimeFormat.prototype, 'format', {
    configurable: true,
    get() {
      const plain = format.call(this);
      return (at) => plain(at === undefined ? now() : at);
    },
  });
  Intl.DateTimeFormat.prototype.formatToParts = function (at) {
    return formatToParts.call(this, at === undefined ? now() : at);
  };
}
