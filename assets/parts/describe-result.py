# One call: what it gives as a digest and the beginning of its text, deep and in order; None if it gives something else than data.
def describe_result(call):
    import asyncio, datetime, decimal, enum, fractions, hashlib, inspect, os, pathlib, re, types, uuid
    places = [(os.getcwd(), '<project>'), (os.environ.get('TMPDIR'), '<temporary>'), (os.environ.get('HOME'), '<home>')]
    class NoData(Exception): pass
    around, size = [], [0]
    def plain(text):
        for path, word in places:
            if path and len(path) > 1: text = text.replace(path, word)
        return text
    def many(values): return ', '.join(describe(one) for one in values)
    def pairs(items): return ', '.join(describe(key) + ': ' + describe(value) for key, value in items)
    def named(value): return type(value).__name__ + '(' + ', '.join(key + '=' + describe(one) for key, one in fields(value)) + ')'
    def fields(value):
        slots = [name for kind in type(value).__mro__ for name in ([kind.__dict__.get('__slots__', ())] if isinstance(kind.__dict__.get('__slots__', ()), str) else kind.__dict__.get('__slots__', ()))]
        own = [(name, getattr(value, name)) for name in slots if name not in ('__weakref__', '__dict__') and hasattr(value, name)]
        return own + list(getattr(value, '__dict__', {}).items())
    def error(value): return type(value).__name__ + ': ' + plain((str(value).splitlines() or [''])[0])
    def shape(value):
        if isinstance(value, (list, tuple)): return type(value).__name__ + '[' + many(value) + ']' if type(value) not in (list, tuple) else ('[' + many(value) + ']' if type(value) is list else '(' + many(value) + ')')
        if isinstance(value, dict): return '{' + pairs(value.items()) + '}'
        if isinstance(value, (set, frozenset)): return '{' + ', '.join(sorted(describe(one) for one in value)) + '}'
        if isinstance(value, BaseException): return error(value)
        if isinstance(value, type): return '<class ' + value.__name__ + '>'
        if callable(value) or isinstance(value, (types.ModuleType, types.GeneratorType)) or hasattr(value, '__next__'): raise NoData()
        return named(value)
    def describe(value):
        size[0] += 1
        if size[0] > 20000 or len(around) > 30: raise NoData()
        if isinstance(value, str) and not isinstance(value, enum.Enum): return repr(plain(value))
        if value is None or isinstance(value, (bool, int, float, complex, bytes, bytearray, enum.Enum, decimal.Decimal, fractions.Fraction, datetime.date, datetime.time, datetime.timedelta, uuid.UUID, re.Pattern, range)): return repr(value)
        if isinstance(value, pathlib.PurePath): return type(value).__name__ + '(' + repr(plain(str(value))) + ')'
        if any(one is value for one in around): return '<itself>'
        around.append(value)
        text = shape(value)
        around.pop()
        return text
    def told(text, shown): return hashlib.sha256(text.encode('utf-8', 'replace')).hexdigest()[:16] + ' ' + ' '.join((shown[:100] + '…' if len(shown) > 100 else shown).split('\n'))
    try:
        value = call()
        if inspect.isawaitable(value):
            async def wait(): return await asyncio.wait_for(value, 2)
            value = asyncio.run(wait())
        text = describe(value)
        return told(text, plain(value) if isinstance(value, str) and value.strip() else text)
    except NoData: return None
    except Exception as problem:
        text = 'raises ' + error(problem)
        return told(text, text)
