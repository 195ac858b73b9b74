/**
 * Python's own unittest, started through a few lines of our own.
 *
 * 1. It is imported before the project's directory is on the path, so that no file of the project can stand in for it.
 * 2. The recorder hears of each test once it is over: what failed in it, in a part of it or in what cleans up after it takes its pass away.
 * 3. Files are loaded under the names that discovery would give them.
 * 4. The last line carries how the run ended; without it the report is not complete.
 */
import type { TestStatus } from '../../domain/verdict.ts';
import { PYTHON_LOOKING, replacedIn } from './looking-python.ts';
import { elsewhereForPython } from './elsewhere.ts';
import { noReport } from './no-report.ts';
import { ordinaryPython } from './ordinary.ts';
import { PYTHON_ENVIRONMENT, PYTHON_RECORDER, pythonLiteral } from './python-boot.ts';
import { readLines, text, toResults, WHOLE_FILE, type RawResult } from './results.ts';
import type { DeepRunner, NoPlan, ParsedRun, PlanRequest, RunnerFacts, RunnerMatch, RunnerOutput, RunPlan } from './runner.ts';

export const unittestRunner: DeepRunner = {
  name: 'unittest',
  isReport: true,
  detect,
  plan,
  parse,
  interpreter: 'python',
  pythonModule: 'unittest',
  summary: null,
  leavings: [],
  files: { modules: ['unittest/**', 'unittest.py'], settings: [], manifestKeys: [], packages: [] },
  marks: { hidden: [], variables: [], globals: [], modules: [], words: ['unittest'] },
  single: {
    language: 'python',
    command: 'python3 -m unittest',
    typed: String.raw`unittest`,
    installedAs: null,
    order: 'seeded',
    takesAnyName: true,
    setsNodeEnv: false,
    neutralOneByOne: false,
    hasQuietRuns: true,
    targets: null,
    firstTest: 'tests/test_first.py',
    variable: null,
    sabotage: 'import unittest\n\nunittest.TestCase._callTestMethod = lambda self, method: None',
    script: null,
    pythonTests: 'methods',
  },
};

function detect(words: readonly string[]): RunnerMatch | null {
  if (!/(^|\/)python[0-9.]*$/.test(words[0] ?? '')) return null;
  const at = words.indexOf('-m');
  if (at < 0 || words[at + 1] !== 'unittest') return null;
  const args = words
    .slice(at + 2)
    .filter((word) => !/^(?:-v|-q|-f|-b|-c|--verbose|--quiet|--failfast|--buffer|--catch|--locals)$/.test(word));
  return { interpreterArgs: words.slice(1, at), args };
}

function plan(match: RunnerMatch, facts: RunnerFacts, request: PlanRequest): RunPlan | NoPlan {
  if (facts.python === null) return { missing: 'no Python was found on the PATH' };
  const { variant } = request;
  const elsewhere = elsewhereForPython(request);
  const before = [
    ...(variant.neutral === undefined ? [] : [ordinaryPython(request.room, variant.neutral.keepTerminal === true)]),
    ...elsewhere.before,
    ...(variant.neutral?.guise === undefined ? [] : [`_WORDS = ${pythonLiteral(variant.neutral.guise.words)}`]),
    ...(variant.neutral === undefined ? [] : [PYTHON_LOOKING, `_LOOKING = _Looking(${pythonLiteral(request.room)})`]),
  ];
  const settings = [request.reportPath, request.keyPath, request.room, variant.shuffleSeed, request.pythonPath, match.args, request.files];
  return {
    file: facts.python,
    args: [...match.interpreterArgs, '-c', [BOOT, ...before, `main(${settings.map(pythonLiteral).join(', ')})`].join('\n')],
    env: PYTHON_ENVIRONMENT,
    support: elsewhere.support,
    report: 'file',
  };
}

const BOOT = `import sys
while sys.path and sys.path[0] in ('', '.'): sys.path.pop(0)
import unittest, unittest.mock, unittest.async_case, argparse, asyncio, time, traceback
${PYTHON_RECORDER}
_LOOKING = None
_WORDS = []
class Result(unittest.TestResult):
    def __init__(self, recorder):
        super().__init__()
        self.recorder = recorder
        self.seen = []
        self.began = 0
    def startTest(self, test):
        super().startTest(test)
        self.seen = []
        self.began = time.perf_counter()
    def note(self, test, what, error=None):
        message = None if error is None else ''.join(traceback.format_exception(*error))[-8000:] if isinstance(error, tuple) else str(error)
        if isinstance(test, unittest.TestCase): self.seen.append((what, message))
        else: self.recorder.put(dict(self.place(test), events=[[what, message]], duration=0))
    def addSuccess(self, test): self.note(test, 'passed')
    def addFailure(self, test, error):
        super().addFailure(test, error)
        self.note(test, 'failed', error)
    def addError(self, test, error):
        super().addError(test, error)
        self.note(test, 'failed' if isinstance(test, unittest.TestCase) else 'error', error)
    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        self.note(test, 'skipped', reason)
    def addExpectedFailure(self, test, error):
        super().addExpectedFailure(test, error)
        self.note(test, 'xfail')
    def addUnexpectedSuccess(self, test):
        super().addUnexpectedSuccess(test)
        self.note(test, 'failed', 'it passed although a failure is expected')
    def addSubTest(self, test, part, error):
        super().addSubTest(test, part, error)
        if error is not None: self.note(test, 'failed', error)
    def stopTest(self, test):
        super().stopTest(test)
        self.recorder.put(dict(self.place(test), events=self.seen, duration=time.perf_counter() - self.began))
        self.seen = []
    def place(self, test):
        if type(test).__name__ == '_FailedTest': return {'file': None, 'module': test._testMethodName, 'name': None}
        known = sys.modules.get(type(test).__module__)
        document = getattr(getattr(test, '_dt_test', None), 'filename', None)
        if not isinstance(test, unittest.TestCase):
            named = str(getattr(test, 'description', test)).rstrip(')').split('(')[-1]
            while named and named not in sys.modules: named = named.rpartition('.')[0]
            return {'file': getattr(sys.modules.get(named), '__file__', None), 'module': named, 'name': [str(test)]}
        return {'file': document or getattr(known, '__file__', None), 'module': type(test).__module__, 'name': [type(test).__qualname__, test._testMethodName]}
class Runner:
    def __init__(self, recorder, seed):
        self.result, self.seed = Result(recorder), seed
    def run(self, suite):
        if _LOOKING is not None: _LOOKING.loaded()
        ordered = unittest.TestSuite(in_order(suite, self.seed)) if self.seed is not None else suite
        unittest.signals.registerResult(self.result)
        self.result.startTestRun()
        try: ordered(self.result)
        finally: self.result.stopTestRun()
        return self.result
def single(suite):
    for one in suite:
        if isinstance(one, unittest.BaseTestSuite): yield from single(one)
        else: yield one
def in_order(suite, seed):
    groups, dice = {}, random.Random(seed)
    for test in single(suite): groups.setdefault(type(test), []).append(test)
    kinds = list(groups)
    dice.shuffle(kinds)
    for kind in kinds:
        dice.shuffle(groups[kind])
        yield from groups[kind]
def options_of(args):
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument('-s', '--start-directory', dest='start', default=None)
    parser.add_argument('-p', '--pattern', default=None)
    parser.add_argument('-t', '--top-level-directory', dest='top', default=None)
    parser.add_argument('-k', action='append')
    parser.add_argument('rest', nargs='*')
    known, _others = parser.parse_known_args(args)
    if args[:1] != ['discover']: return known, None
    places = known.rest[1:]
    known.start = known.start or (places[0] if places else '.')
    known.top = known.top or (places[2] if len(places) > 2 else None)
    return known, known.top or known.start
def main(path, key, room, seed, roots, args, files):
    recorder = Recorder(path, key)
    sys.path[:0] = [room] + roots
    os.environ.pop('PYTHONPATH', None)
    if roots: os.environ['PYTHONPATH'] = os.pathsep.join(roots)
    sys.meta_path.sort(key=lambda finder: 'editable' in str(getattr(finder, '__module__', '')))
    known, top = options_of(args)
    words = args
    if files is not None:
        base = os.path.normpath(os.path.join(room, top or '.'))
        if base != room: sys.path.insert(0, base)
        named = [os.path.relpath(os.path.join(room, one), base)[:-3].replace(os.sep, '.') for one in files]
        words = [part for pattern in known.k or [] for part in ('-k', pattern)] + named
    sys.argv = ['main.py', *_WORDS]
    if hasattr(sys, 'orig_argv'): sys.orig_argv = [sys.executable, 'main.py', *_WORDS]
    program = unittest.main(module=None, argv=['unittest'] + words, testRunner=Runner(recorder, seed), exit=False)
    status = 0 if program.result.wasSuccessful() else 1
    recorder.close({'end': status, 'ran': program.result.testsRun, 'replaced': _LOOKING.again() if _LOOKING is not None else None})
    sys.exit(status)`;

function parse(output: RunnerOutput): ParsedRun {
  if (output.report === null) return noReport(output);
  const { values, broken } = readLines(output.report);
  const last = values.at(-1);
  const complete = !broken && last !== undefined && typeof last['end'] === 'number' && last['lines'] === values.length - 1;
  const problems = complete ? [] : ['the report is not complete'];
  if (complete && last['end'] !== output.code)
    problems.push(`unittest ended with ${String(last['end'])}, its process with ${String(output.code)}`);
  const raw = values.filter((value) => Array.isArray(value['events'])).map((value) => toRaw(value));
  return { tests: toResults(raw, output.room), problems, ...replacedIn(last) };
}

function toRaw(value: Record<string, unknown>): RawResult {
  const events = (value['events'] as unknown[]).filter((one): one is unknown[] => Array.isArray(one));
  const kinds = events.map(([kind]) => text(kind));
  const message = events.map((one) => text(one[1])).find((one) => one !== '');
  const duration = typeof value['duration'] === 'number' ? value['duration'] * 1_000 : 0;
  const name = Array.isArray(value['name']) ? value['name'].map(text) : [WHOLE_FILE];
  const file = text(value['file']) || `${text(value['module']).replaceAll('.', '/')}.py`;
  return { file, name, status: name[0] === WHOLE_FILE ? 'error' : statusOf(kinds), duration, message };
}

/** Passed is what said so and nothing else. */
function statusOf(kinds: readonly string[]): TestStatus {
  for (const status of ['error', 'failed', 'xfail', 'skipped'] as const) if (kinds.includes(status)) return status;
  return kinds.length === 1 && kinds[0] === 'passed' ? 'passed' : 'error';
}
