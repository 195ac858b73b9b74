// For reporters: `show` and `messages` of values and errors that code under test made.
import { inspect } from 'node:util';
const show = (value) => {
  try {
    return inspect(value, { customInspect: false, depth: 4, maxArrayLength: 20, maxStringLength: 300, breakLength: 100 }).slice(0, 1000);
  } catch {
    return 'a value that cannot be shown';
  }
};
const messages = (error) => {
  try {
    return [
      String(error?.stack ?? error?.message ?? error).slice(0, 6000),
      error !== null && typeof error === 'object' && 'expected' in error
        ? 'expected: ' + show(error.expected) + '\nactual: ' + show(error.actual)
        : '',
    ]
      .filter(Boolean)
      .join('\n');
  } catch {
    return 'an error that cannot be shown';
  }
};
