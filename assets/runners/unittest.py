# Behind `recorder.py`.
import unittest, unittest.mock, unittest.async_case, argparse, asyncio, time, traceback
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
    sys.exit(status)
