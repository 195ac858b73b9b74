import os, random, secrets, tempfile
_is_low = given_is_low
_share = random.Random().random
class _Names(random.Random):
    def random(self): return _share()
tempfile._RandomNameSequence.rng = property(lambda self, names=_Names(): names)
def _random(*_given): return _share() / 1024 if _is_low else 1 - (_share() + 2 ** -40) / 1024
random.Random.random = _random
random.Random._randbelow = lambda self, n: min(int(_random() * n), n - 1)
random.random, random.randint, random.randrange, random.choice, random.uniform = _random, lambda a, b: a + min(int(_random() * (b - a + 1)), b - a), random.Random().randrange, lambda some: some[min(int(_random() * len(some)), len(some) - 1)], lambda a, b: a + (b - a) * _random()
secrets.randbelow = lambda n: min(int(_random() * n), n - 1)
_urandom = os.urandom
os.urandom = lambda size: bytes([0 if _is_low else 255]) + _urandom(size - 1) if size > 0 else b''
secrets.token_bytes = lambda size=None: os.urandom(32 if size is None else size)
secrets.token_hex = lambda size=None: secrets.token_bytes(size).hex()
