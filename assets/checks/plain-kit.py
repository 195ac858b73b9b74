import ast, enum, inspect, math, pathlib, shutil, sys, tempfile, time, types
from re import search
from unittest import SkipTest
monotonic = time.monotonic
running = None
class Unknown(NameError): pass
def unknown(what):
    if running is not None: running['state'] = 'unknown'
    raise Unknown(what)
class Raised:
    def __init__(self, kinds, match):
        self.kinds, self.match, self.value, self.type = kinds, match, None, None
    def __enter__(self): return self
    def __exit__(self, kind, error, trace):
        if kind is None: raise AssertionError('nothing was raised')
        if issubclass(kind, Unknown): return False
        running['thrown'].append(kind.__name__)
        if not issubclass(kind, self.kinds): return False
        if self.match is not None and not search(self.match, str(error)): raise AssertionError(str(error))
        self.type, self.value = kind, error
        return True
class Near:
    def __init__(self, wanted, rel, abs_):
        if isinstance(wanted, bool) or not isinstance(wanted, (int, float)): unknown('approx')
        self.wanted, self.rel, self.abs = wanted, 1e-6 if rel is None else rel, 1e-12 if abs_ is None else abs_
    def __eq__(self, other): return math.isclose(self.wanted, other, rel_tol=self.rel, abs_tol=self.abs)
class Marks:
    def __getattr__(self, name):
        if name != 'parametrize': unknown(name)
        def parametrize(names, rows, ids=None):
            names = [one.strip() for one in names.split(',')] if isinstance(names, str) else list(names)
            def take(run):
                run.rows_of_test = [(names, list(rows))] + getattr(run, 'rows_of_test', [])
                return run
            return take
        return parametrize
class Runner:
    mark = Marks()
    def __getattr__(self, name): unknown(name)
    @staticmethod
    def raises(kinds, run=None, *given, match=None, **named):
        if run is None: return Raised(kinds, match)
        with Raised(kinds, match): run(*given, **named)
    @staticmethod
    def approx(wanted, rel=None, abs=None): return Near(wanted, rel, abs)
    @staticmethod
    def fixture(run=None, **options):
        if run is None:
            if set(options) - {'scope', 'autouse', 'name'}: unknown('fixture')
            return lambda other: Runner.fixture_of(other, options)
        return Runner.fixture_of(run, {})
    @staticmethod
    def fixture_of(run, options):
        run.fixture_of_test = options
        return run
    @staticmethod
    def fail(reason=''): raise AssertionError(reason)
def kit(): return Runner()
class World:
    def __init__(self, module):
        self.fixtures = {getattr(one, 'fixture_of_test', {}).get('name') or name: one for name, one in vars(module).items() if inspect.isfunction(one) and hasattr(one, 'fixture_of_test')}
        self.kept, self.undone = {}, []
    def value(self, name, values, undo):
        if name in values: return values[name]
        if name == 'tmp_path':
            values[name] = pathlib.Path(tempfile.mkdtemp())
            undo.append(lambda: shutil.rmtree(values[name], True))
            return values[name]
        if name not in self.fixtures: unknown(name)
        run = self.fixtures[name]
        isKept = run.fixture_of_test.get('scope', 'function') != 'function'
        if isKept and name in self.kept: return self.kept[name]
        made = run(**{one: self.value(one, values, undo) for one in inspect.signature(run).parameters})
        if inspect.isgenerator(made):
            going, made = made, next(made)
            (self.undone if isKept else undo).append(lambda: next(going, None))
        if inspect.iscoroutine(made) or inspect.isasyncgen(made): unknown(name)
        (self.kept if isKept else values)[name] = made
        return made
def rows_of(run):
    rows = [{}]
    for names, given in getattr(run, 'rows_of_test', []):
        rows = [{**row, **dict(zip(names, one if len(names) > 1 else [one]))} for row in rows for one in given]
    return rows
class Telling:
    def __init__(self, waiting): self.waiting = waiting
    def __enter__(self): return self.waiting.__enter__()
    def __exit__(self, kind, error, trace):
        if kind is not None and running is not None: running['thrown'].append(kind.__name__)
        return self.waiting.__exit__(kind, error, trace)
def told_by(run, name):
    def telling(of):
        def call(*given, **named):
            try: return of(*given, **named)
            except Exception as error:
                if running is not None: running['thrown'].append(type(error).__name__)
                raise
        return call
    def asserting(*given, **named):
        counted_here()
        for one in given: number_here(one)
        if not name.startswith('assertRaises'): return run(*given, **named)
        at = 2 if name.endswith('Regex') else 1
        if len(given) > at and callable(given[at]): return run(*given[:at], telling(given[at]), *given[at + 1:], **named)
        return Telling(run(*given, **named))
    return asserting
prepared = set()
def case_of(kind, name):
    def run():
        if kind not in prepared: kind.setUpClass()
        prepared.add(kind)
        own = kind(name)
        for part in dir(kind):
            if part.startswith('assert') and callable(getattr(own, part)): setattr(own, part, told_by(getattr(own, part), part))
        own.debug()
    return run
def tests_of(module):
    for name, one in list(vars(module).items()):
        if getattr(one, '__module__', None) != module.__name__: continue
        if inspect.isfunction(one) and name.startswith('test'):
            for at, row in enumerate(rows_of(one)): yield f'{name} {at}', one, row, None
        elif inspect.isclass(one) and hasattr(one, 'debug') and hasattr(one, 'assertEqual'):
            for part in sorted(vars(one)):
                if part.startswith('test'): yield f'{name} > {part}', case_of(one, part), {}, None
        elif inspect.isclass(one) and name.startswith('Test') and '__init__' not in vars(one):
            for part, run in list(vars(one).items()):
                if inspect.isfunction(run) and part.startswith('test'):
                    for at, row in enumerate(rows_of(run)): yield f'{name} > {part} {at}', run, row, one
def run_one(world, module, run, row, kind):
    values, undo = dict(row), []
    own = None if kind is None else kind()
    if kind is not None and any(inspect.isfunction(one) and hasattr(one, 'fixture_of_test') for one in vars(kind).values()): unknown('fixture')
    try:
        for name, one in world.fixtures.items():
            if one.fixture_of_test.get('autouse'): world.value(name, values, undo)
        for hook in (getattr(own, 'setup_method', None), getattr(module, 'setup_function', None) if own is None else None):
            if hook is not None: hook(*([] if not inspect.signature(hook).parameters else [run]))
        parameters = list(inspect.signature(run).parameters)
        if own is not None: parameters = parameters[1:]
        made = run(*([] if own is None else [own]), **{one: world.value(one, values, undo) for one in parameters})
        if inspect.iscoroutine(made): made.close(); unknown('coroutine')
        if inspect.isgenerator(made): unknown('generator')
    finally:
        for hook in (getattr(own, 'teardown_method', None), getattr(module, 'teardown_function', None) if own is None else None):
            if hook is not None: hook(*([] if not inspect.signature(hook).parameters else [run]))
        for one in reversed(undo): one()
class Counted(ast.NodeTransformer):
    def visit_Compare(self, node):
        self.generic_visit(node)
        def seen(one): return one if isinstance(one, ast.Constant) else ast.copy_location(ast.Call(ast.Name('number_here', ast.Load()), [one], []), one)
        if all(isinstance(one, (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.NotEq)) for one in node.ops):
            node.left, node.comparators = seen(node.left), [seen(one) for one in node.comparators]
        return ast.fix_missing_locations(node)
    def visit_Assert(self, node):
        self.generic_visit(node)
        call = ast.Expr(ast.Call(ast.Name('counted_here', ast.Load()), [], []))
        return [ast.fix_missing_locations(ast.copy_location(call, node)), node]
def counted_here():
    if running is not None: running['asserted'] += 1
def number_here(value):
    if running is not None and isinstance(value, float) and math.isnan(value): running['nans'] += 1
    return value
def members_of(holder):
    if inspect.isclass(holder) and issubclass(holder, enum.Enum): return dict(holder.__members__)
    return {name: one for name, one in vars(holder).items() if not name.startswith('_') and not inspect.isroutine(one)} if inspect.isclass(holder) else {}
def is_one(one, other): return one is other or (type(one) is type(other) and one == other)
def is_name(of, name, value):
    if isinstance(value, enum.Enum): return True
    return name.isupper() and (type(value) is int and of != '' or type(value) is str and search(r'^\S+$', value) is not None)
def constants(module, named):
    for of, names in named.items():
        own = {name: getattr(module, name, None) for name in names} if of == '' else members_of(getattr(module, of, None))
        for name in names:
            if name not in own: continue
            others = [(other, one) for other, one in own.items() if other != name]
            same = [other for other, one in others if is_one(one, own[name])]
            apart = [other for other, one in others if is_name(of, name, own[name]) and is_name(of, other, one) and not is_one(one, own[name])]
            title = 'the constant ' + (of + '.' if of else '') + name
            yield {'title': title[:100], 'state': 'held', 'thrown': [], 'asserted': 0, 'nans': 0, 'same': ['given_many'] if len(same) > given_most_same else same, 'apart': apart[:given_most_apart]}
def load(path, name, bound):
    module = types.ModuleType(name)
    runner = kit()
    for local, of in bound.items(): setattr(module, local, runner if of == '' else getattr(runner, of))
    module.__file__ = path
    sys.modules[name] = module
    module.counted_here, module.number_here = counted_here, number_here
    with open(path) as file: exec(compile(Counted().visit(ast.parse(file.read())), path, 'exec'), vars(module))
    return module
def run_all(module, named={}):
    global running
    told, begin, world = [], monotonic(), World(module)
    hook = getattr(module, 'setup_module', None)
    if hook is not None: hook(*([module] if inspect.signature(hook).parameters else []))
    for title, run, row, kind in tests_of(module):
        if monotonic() - begin > 3: break
        running = {'title': title[:100], 'state': 'held', 'thrown': [], 'asserted': 0, 'nans': 0}
        told.append(running)
        try: run_one(world, module, run, row, kind)
        except (ImportError, NameError, SkipTest): running['state'] = 'unknown'
        except BaseException:
            if running['state'] == 'held': running['state'] = 'off'
    for one in reversed(world.undone): one()
    return told + list(constants(module, named))
