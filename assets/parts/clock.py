import time, datetime
_shift = given_shift
_time, _time_ns, _localtime, _gmtime = time.time, time.time_ns, time.localtime, time.gmtime
time.time = lambda: _time() + _shift
time.time_ns = lambda: _time_ns() + _shift * 1000000000
def _aged(name):
    clock, age = getattr(time, name, None), given_age
    if clock is not None: setattr(time, name, (lambda: clock() + age * 1000000000) if name.endswith('_ns') else (lambda: clock() + age))
for _name in ('process_time', 'process_time_ns', 'thread_time', 'thread_time_ns'): _aged(_name)
time.localtime = lambda at=None: _localtime(time.time() if at is None else at)
time.gmtime = lambda at=None: _gmtime(time.time() if at is None else at)
_strftime, _asctime, _ctime = time.strftime, time.asctime, time.ctime
time.strftime = lambda form, *at: _strftime(form, *(at or (time.localtime(),)))
time.asctime = lambda *at: _asctime(*(at or (time.localtime(),)))
time.ctime = lambda at=None: _ctime(time.time() if at is None else at)
if hasattr(time, 'clock_gettime'):
    _gettime, _gettime_ns = time.clock_gettime, time.clock_gettime_ns
    time.clock_gettime = lambda clock: _gettime(clock) + (_shift if clock == time.CLOCK_REALTIME else 0)
    time.clock_gettime_ns = lambda clock: _gettime_ns(clock) + (_shift * 1000000000 if clock == time.CLOCK_REALTIME else 0)
def _now(cls, tz=None): return cls.fromtimestamp(time.time(), tz)
def _utcnow(cls): return cls.fromtimestamp(time.time(), datetime.timezone.utc).replace(tzinfo=None)
try:
    import ctypes, gc
    _members = gc.get_referents(datetime.datetime.__dict__)[0]
    _members.update(now=classmethod(_now), utcnow=classmethod(_utcnow))
    ctypes.pythonapi.PyType_Modified(ctypes.py_object(datetime.datetime))
except Exception: pass
