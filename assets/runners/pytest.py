# Behind `recorder.py`.
import pytest, _pytest.assertion.rewrite, _pytest.junitxml, _pytest.python, _pytest.unittest, unittest, unittest.mock
_NEUTRAL = False
_WORDS = []
_LOOKING = None
_NO_COVERAGE = ['--no-cov'] if importlib.util.find_spec('pytest_cov') and not os.environ.get('PYTEST_DISABLE_PLUGIN_AUTOLOAD') else []
# The smallest failing example takes many times as long as any, and decides nothing. No run differs from another in it.
def _without_shrinking():
    settings = getattr(sys.modules.get('hypothesis'), 'settings', None)
    phases = [one for one in getattr(getattr(settings, 'default', None), 'phases', ()) if one.name not in ('shrink', 'explain')]
    if not phases: return
    name = getattr(settings, '_current_profile', None) or 'default'
    settings.register_profile(name, settings.default, phases=phases)
    settings.load_profile(name)
class Plugin(Recorder):
    seed = None
    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items):
        if self.seed is not None: random.Random(self.seed).shuffle(items)
    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionstart(self):
        if not _NEUTRAL: return
        sys.argv = ['main.py', *_WORDS]
        if hasattr(sys, 'orig_argv'): sys.orig_argv = [sys.executable, 'main.py', *_WORDS]
        for name in [name for name in os.environ if name.startswith('PYTEST_')]: del os.environ[name]
    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logreport(self, report):
        self.put({'id': report.nodeid, 'when': report.when, 'outcome': report.outcome, 'part': type(report).__name__ in ('SubtestReport', 'SubTestReport'), 'xfail': hasattr(report, 'wasxfail'), 'duration': getattr(report, 'duration', 0), 'message': str(report.longrepr)[-8000:] if report.outcome != 'passed' and report.longrepr is not None else None})
    @pytest.hookimpl(trylast=True)
    def pytest_configure(self): _without_shrinking()
    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self):
        _without_shrinking()
        if _LOOKING is not None: _LOOKING.loaded()
    def pytest_collectreport(self, report):
        if report.outcome == 'failed':
            self.put({'id': report.nodeid, 'when': 'collect', 'outcome': 'failed', 'xfail': False, 'duration': 0, 'message': str(report.longrepr)[-8000:]})
    def pytest_deselected(self, items):
        for item in items:
            self.put({'id': item.nodeid, 'when': 'deselected', 'outcome': 'skipped', 'xfail': False, 'duration': 0, 'message': None})
def main(path, key, directory, seed, roots, typed):
    recorder = Plugin(path, key)
    recorder.seed = seed
    sys.path[:0] = roots
    os.environ.pop('PYTHONPATH', None)
    if roots: os.environ['PYTHONPATH'] = os.pathsep.join(roots)
    sys.meta_path.sort(key=lambda finder: 'editable' in str(getattr(finder, '__module__', '')))
    if directory is not None: sys.path.insert(0, directory)
    words = sys.argv[1:] + _NO_COVERAGE
    sys.argv = [os.path.join(os.path.dirname(pytest.__file__), '__main__.py') if directory is not None else os.path.join(os.path.dirname(sys.executable), 'pytest'), *typed]
    status = int(pytest.main(words, plugins=[recorder]))
    recorder.close({'end': status} if _LOOKING is None else {'end': status, 'replaced': _LOOKING.again()})
    sys.exit(status)
