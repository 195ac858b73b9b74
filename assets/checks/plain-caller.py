# Behind `ask_behind`: which assertions do not hold, by their numbers; see `plain-caller.ts`.
from importlib import import_module
from os import _exit, write
from time import monotonic, sleep
kinds = (str, bytes, int, float, list, tuple, dict)
def plain(value, depth=0):
    kind = next((one for one in kinds if isinstance(value, one)), None)
    if kind is None or depth > 20: return value
    if kind in (str, bytes): return kind.__getitem__(value, slice(None))
    if kind in (int, float): return kind.__add__(value, kind(0))
    if kind is dict: return {plain(key, depth + 1): plain(item, depth + 1) for key, item in dict.items(value)}
    return kind([plain(item, depth + 1) for item in kind.__iter__(value)])
def expected(one, other):
    kind = type(other)
    said = kind.__eq__(other, one) if type(one) is not kind and isinstance(one, kind) else True
    return said is NotImplemented or bool(said)
def shows_the_same(one, other):
    if type(one) is not type(other) or type(one).__eq__ is object.__eq__ or not hasattr(one, '__dict__'): return True
    return plain(vars(one)) == plain(vars(other))
def in_some_order(one, other):
    kind = next((one_of for one_of in (list, tuple) if isinstance(one, one_of)), None)
    return kind is not None and type(other) is kind and sorted(map(repr, plain(one))) == sorted(map(repr, plain(other)))
def agree(left, right, is_accepted, has_no_order):
    one, other = left(), right()
    is_plain = expected(one, other) and (plain(one) == plain(other) or type(one) is type(other))
    return bool(one == other) and (is_plain or (has_no_order and in_some_order(one, other))) and (not is_accepted or shows_the_same(one, other))
def is_yes(value): return bool(value) and not callable(value) and not hasattr(value, '__await__')
def holds(call):
    left, right, is_accepted, has_no_order = call
    try: return bool(left()) if right is None else is_yes(left()) if right is callable else agree(left, right, is_accepted, has_no_order)
    except (ImportError, NameError): return True
    except BaseException: return False
off, accepted, all_calls = [], [], []
def asks(number): write(3, ('given_word@%d\n' % number).encode())
at = 0
for name, count in given_files:
    calls = []
    asks(at)
    try: calls = getattr(import_module(name), 'given_calls')
    except (ImportError, SyntaxError, NameError): pass
    except BaseException: off.extend(range(at, at + count))
    for one, call in enumerate(calls):
        all_calls.append((at + one, call))
        if one > 0: asks(at + one)
        if not holds(call): off.append(at + one)
        elif call[2]: accepted.append((at + one, call))
    at += count
begin = monotonic()
for _round in range(given_rounds if accepted else 0):
    sleep(given_pause)
    for number, call in accepted:
        if monotonic() < begin + given_longest and number not in off and not holds(call): off.append(number)
write(3, ('given_word' + str(off) + '\n').encode())
ask_behind(given_numbers)
elsewhere = given_elsewhere
if elsewhere is not None:
    import os, time
    os.environ.update({'TZ': elsewhere['zone'], 'LANG': 'de_DE.UTF-8', 'LC_ALL': 'de_DE.UTF-8'})
    time.tzset()
    os.chdir(os.environ.get('TMPDIR', '/'))
    there = [number for number, call in all_calls if not holds(call)]
    write(3, (elsewhere['word'] + str(there) + '\n').encode())
_exit(0)
