// Behind `seal` and `stringify`; `lookAgain` is there in a run without marks.
import { inspect } from 'node:util';
const shown = (value) => {
  try {
    return inspect(value, { customInspect: false, depth: 4, maxArrayLength: 20, maxStringLength: 300, breakLength: 100 }).slice(0, 1000);
  } catch {
    return 'a value that cannot be shown';
  }
};
const values = (cause) => {
  try {
    return cause?.code === 'ERR_ASSERTION' && cause.generatedMessage === false && cause.operator !== 'fail' && 'expected' in cause
      ? '\nexpected: ' + shown(cause.expected) + '\nactual: ' + shown(cause.actual)
      : '';
  } catch {
    return '';
  }
};
const told = (value) => {
  try {
    return String(value);
  } catch {
    return 'an error that cannot be shown';
  }
};
const kept = new Set(['test:start', 'test:pass', 'test:fail', 'test:stderr', 'test:diagnostic']);
export default async function* reporter(source) {
  let lines = 0;
  let whole = '';
  for await (const event of source) {
    if (!kept.has(event.type)) continue;
    const data = event.data ?? {};
    const error = data.details?.error;
    const cause = error?.cause;
    const message =
      error === undefined
        ? undefined
        : [error.failureType, cause?.code, cause?.stack ?? cause?.message ?? cause ?? error.message]
            .filter(Boolean)
            .map(told)
            .join(' ')
            .slice(0, 6000) + values(cause);
    const line =
      stringify({
        event: event.type,
        name: data.name,
        nesting: data.nesting,
        file: data.file,
        skip: data.skip,
        todo: data.todo,
        kind: data.details?.type,
        duration: data.details?.duration_ms,
        failure: error?.failureType,
        message: message ?? (typeof data.message === 'string' ? data.message.slice(0, 8000) : undefined),
      }) + '\n';
    whole += line;
    lines += 1;
    yield line;
  }
  if (typeof lookAgain === 'function') lookAgain('end');
  const last = stringify({ event: 'end', lines }) + '\n';
  yield last;
  yield seal(whole + last);
}
