# Asks the tests of whole files, each in a world that stands in for a runner; see `plain-whole.ts`.
import json, os, sys
from given_kit import load, run_all
_exit, write, dumps = os._exit, os.write, json.dumps
bound = json.loads(given_bound)
named = json.loads(given_named)
titles, faults, counted, own = json.loads(given_titles), given_faults, given_counted, given_own
def is_odd(one): return one['same'] != [] if 'same' in one else one['nans'] > 0 or any(name in faults for name in one['thrown'])
def is_told(one, at): return one['title'] in titles if titles is not None else one['state'] == 'off' or (at not in own and ((at in counted and 'same' not in one) or is_odd(one)))
def shown(one): return {key: value for key, value in one.items() if key != ('apart' if titles is None else 'same')}
def ask(numbers):
    told, left = {}, given_most_told
    for at in numbers:
        try: told[at] = [shown(one) for one in run_all(load('given_part' + at + '.txt', 'given_part' + at, bound[int(at)]), named[int(at)]) if is_told(one, int(at))][:left]
        except BaseException: told[at] = None
        left -= len(told[at] or [])
    write(3, ('given_word' + dumps(told) + '\n').encode())
if __name__ == '__main__':
    wanted, sys.argv = sys.argv[1:], sys.argv[:1]
    ask(wanted)
    _exit(0)
