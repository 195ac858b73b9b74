import copy, functools, inspect, decimal, datetime, pathlib, re, types
kind, word, offset = 'given_kind', 'given_word', given_offset
isInside, isOther, isBelow = kind.startswith('inside'), kind == 'other', kind.endswith('other')
depth = 0
calls = 0
kept = {}
class Stopped(Exception): pass
def text(value):
    if not given_near: return value[:1] + word + value[1:]
    return re.sub('[A-Za-z]', lambda found: found.group().swapcase(), value, count=1) if re.search('[A-Za-z]', value) else value + ' '
def wrong(value):
    global calls
    calls += 1
    if calls > 300000: raise Stopped(word)
    if kind in ('same', 'thrown', 'hollow', 'apart'): return value
    if value is None: return value
    if isinstance(value, bool): return not isOther
    t = type(value)
    if t in (int, float): return value - offset - 1 if isBelow else value + offset
    if t is str: return text(value)
    if t is bytes: return value + word.encode()
    if t is complex or t is decimal.Decimal: return value + offset
    if t is list: return [wrong(one) for one in value] + ([wrong(value[-1]) if value else word] if not isOther else [])
    if t is tuple: return tuple(wrong(one) for one in value)
    if t in (set, frozenset): return t([wrong(one) for one in value] + [word])
    if t is dict: return {key: wrong(one) for key, one in value.items()} if value else {word: offset}
    if t is datetime.timedelta or t is datetime.datetime or t is datetime.date: return value + datetime.timedelta(days=offset % 97 + 1)
    if isinstance(value, pathlib.PurePath): return value / word
    if isinstance(value, (str, int, float)): return alike(t, wrong(str.__str__(value) if isinstance(value, str) else int(value) if isinstance(value, int) else float(value)))
    if t is re.Pattern: return re.compile('(?!)')
    if isinstance(value, (types.FunctionType, types.BuiltinFunctionType, types.MethodType)): return called(value)
    if inspect.isgenerator(value): return each(value)
    if inspect.iscoroutine(value): return later(value)
    return around(value)
def alike(t, plain):
    try: return t(plain)
    except Exception: return plain
def result(value):
    if value is None and kind not in ('same', 'thrown', 'hollow', 'apart'): return word
    return wrong(value)
def isNumber(one): return type(one) in (int, float) or (type(one) is str and re.fullmatch('-?[0-9]+', one) is not None)
def shift(one):
    if type(one) in (list, tuple): return type(one)(shift(each) for each in one)
    if not isNumber(one): return one
    return str(int(one) + 1) if type(one) is str else one + 1
def takes(values): return any(isNumber(one) or (type(one) in (list, tuple) and any(map(isNumber, one))) for one in values)
def digits(one): return re.sub('[^0-9]+', ' ', one)
def following(one): return re.sub('[0-9](?=[^0-9]*$)', lambda found: str((int(found.group()) + 1) % 10), one)
def numbers(value, args, named):
    return kind in ('one', 'other') and offset == 1 and type(value) is str and re.search('[0-9]', value) is not None and takes([*args, *named.values()])
def shifted(args, named): return [shift(one) for one in args], {name: shift(one) for name, one in named.items()}
def told(value, same, other):
    return following(value) if same == value and type(other) is str and digits(other) != digits(value) else result(value)
def numbered(fn, value, args, named):
    global depth
    if not numbers(value, args, named): return result(value)
    others, others_named = shifted(args, named)
    depth += 1
    try: return told(value, fn(*args, **named), fn(*others, **others_named))
    except Exception: return result(value)
    finally: depth -= 1
async def numberedLater(fn, args, named):
    try: value = await fn(*args, **named)
    except Exception:
        if not isOther: raise
        value = None
    if not numbers(value, args, named): return result(value)
    others, others_named = shifted(args, named)
    try: return told(value, await fn(*args, **named), await fn(*others, **others_named))
    except Exception: return result(value)
def each(value):
    for one in value: yield wrong(one)
async def eachLater(value):
    async for one in value: yield wrong(one)
async def later(value):
    try: one = await value
    except Exception:
        if not isOther: raise
        one = None
    return result(one)
def called(fn):
    @functools.wraps(fn)
    def inner(*args, **named): return result(fn(*args, **named))
    return inner
def around(value):
    t = type(value)
    if isinstance(value, (type, types.ModuleType, BaseException)) or not hasattr(value, '__dict__'): return value
    if id(value) in kept: return kept[id(value)][1]
    # What a test derives from its type is a separate thing.
    def get(self, name):
        if self is not made: return t.__getattribute__(self, name)
        own = object.__getattribute__(value, name)
        if name.startswith('__') or callable(own): return own
        return wrong(own)
    def put(self, name, one): return setattr(value, name, one) if self is made else t.__setattr__(self, name, one)
    def drop(self, name): return delattr(value, name) if self is made else t.__delattr__(self, name)
    try:
        made = object.__new__(type(t.__name__, (t,), {'__getattribute__': get, '__setattr__': put, '__delattr__': drop}))
    except Exception: return value
    kept[id(value)] = (value, made)
    return made
def copied(one):
    if isinstance(one, (types.FunctionType, types.MethodType)): return lambda *args, **named: None
    if type(one) not in (list, dict, set, bytearray): return one
    try: return copy.deepcopy(one)
    except Exception: return copy.copy(one)
def hollow(fn):
    if inspect.iscoroutinefunction(fn):
        @functools.wraps(fn)
        async def later(*args, **named): return None
        return later
    isMany = inspect.isgeneratorfunction(fn)
    @functools.wraps(fn)
    def nothing(*args, **named): return iter(()) if isMany else None
    return nothing
def run(fn):
    if not callable(fn): return fn
    if kind == 'hollow': return hollow(fn)
    if inspect.isasyncgenfunction(fn):
        @functools.wraps(fn)
        def outside(*args, **named):
            if kind == 'thrown': raise RuntimeError(word)
            return eachLater(fn(*args, **named)) if depth == 0 or isInside else fn(*args, **named)
        return outside
    if inspect.isgeneratorfunction(fn):
        @functools.wraps(fn)
        def several(*args, **named):
            if kind == 'thrown': raise RuntimeError(word)
            if depth == 0 or isInside: yield from each(fn(*args, **named))
            else: yield from fn(*args, **named)
        return several
    if inspect.iscoroutinefunction(fn):
        @functools.wraps(fn)
        async def awaited(*args, **named):
            if kind == 'thrown': raise RuntimeError(word)
            if depth > 0 and not isInside: return await fn(*args, **named)
            return await (numberedLater(fn, args, named) if offset == 1 and not isInside else later(fn(*args, **named)))
        return awaited
    @functools.wraps(fn)
    def single(*args, **named):
        global depth
        if kind == 'thrown': raise RuntimeError(word)
        isOutside = depth == 0 or isInside
        depth += 1
        value = None
        if kind == 'apart': args, named = [copied(one) for one in args], {name: copied(one) for name, one in named.items()}
        try: value = fn(*args, **named)
        except Exception as error:
            if not isOutside or not isOther or isinstance(error, Stopped): raise
        finally: depth -= 1
        return numbered(fn, value, args, named) if isOutside else value
    return single
def made(cls):
    if not isinstance(cls, type) or kind in ('same', 'thrown', 'hollow', 'apart'): return cls
    generated = hasattr(cls, '__dataclass_fields__')
    for name in ('__eq__', '__lt__', '__le__', '__gt__', '__ge__', '__repr__', '__hash__') if generated else ():
        if name in vars(cls) and callable(vars(cls)[name]): setattr(cls, name, run(vars(cls)[name]))
    init = vars(cls).get('__init__')
    if init is None: return cls
    @functools.wraps(init)
    def filled(self, *args, **named):
        global depth
        isOutside = depth == 0
        depth += 1
        try: init(self, *args, **named)
        finally: depth -= 1
        if not isOutside: return
        for name, one in list(getattr(self, '__dict__', {}).items()):
            if not callable(one):
                try: object.__setattr__(self, name, wrong(one))
                except Exception: pass
    try: cls.__init__ = filled
    except Exception: pass
    return cls
def value(one): return wrong(one)
def enter():
    global depth
    depth += 1
def leave():
    global depth
    depth -= 1
