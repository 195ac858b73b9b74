import os, sys, types
_room = given_room
def _asked(depth):
    name = sys._getframe(depth + 1).f_code.co_filename
    return name.startswith(_room) and '-packages/' not in name
_getpid, _getppid = os.getpid, os.getppid
def _more():
    name = sys._getframe(2).f_code.co_filename
    return 0 if name.startswith('<') or '/lib/python' in name or '-packages/' in name else 20000
def _told_pid(): return _getpid() + _more()
def _told_ppid(): return _getppid() + _more()
os.getpid, os.getppid = _told_pid, _told_ppid
_cpu_count = os.cpu_count
os.cpu_count = lambda: (_cpu_count() or 1) + 1
_modules = sys.modules
_missing = object()
def _seen(name): return not (isinstance(name, str) and name.split('.')[0] in ('pytest', '_pytest', 'py', 'pluggy', 'iniconfig', 'xdist', 'pytest_cov', 'unittest'))
class _Modules(dict):
    def __getitem__(self, name):
        if not _seen(name): raise KeyError(name)
        return _modules[name]
    def __setitem__(self, name, value): _modules[name] = value
    def __delitem__(self, name): del _modules[name]
    def __contains__(self, name): return _seen(name) and name in _modules
    def __iter__(self): return iter([name for name in list(_modules) if _seen(name)])
    def __len__(self): return len(list(iter(self)))
    def keys(self): return list(iter(self))
    def values(self): return [_modules[name] for name in self]
    def items(self): return [(name, _modules[name]) for name in self]
    def get(self, name, other=None): return _modules.get(name, other) if _seen(name) else other
    def pop(self, name, *other): return _modules.pop(name, *other)
    def setdefault(self, name, value=None): return _modules.setdefault(name, value)
    def update(self, *given, **named): _modules.update(*given, **named)
    def copy(self): return dict(self.items())
    def clear(self):
        for name in list(self): del _modules[name]
    def __eq__(self, other): return self is other
    def __repr__(self): return repr(self.copy())
    __hash__ = None
_view = _Modules()
class _Sys(types.ModuleType):
    @property
    def modules(self): return _view if _asked(1) else _modules
    @modules.setter
    def modules(self, value): sys.__dict__['modules'] = value
sys.__class__ = _Sys
