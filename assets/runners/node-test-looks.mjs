// Behind `looking.cjs`. As the first test begins, all that its file loads is loaded. Threads of the code are left alone: whoever loads node's tests
// there begins the report anew.
import { createRequire } from 'node:module';
if (isMainThread) {
  const { before: beforeAll } = createRequire(import.meta.url)('node:test');
  const lookAgain = looking.remember(globalThis);
  beforeAll(() => lookAgain('loaded'));
  process.on('exit', () => lookAgain('end'));
}
