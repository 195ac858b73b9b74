import builtins, datetime, decimal, fractions, math, operator, re, sys, time, types
class _Looking:
    def __init__(self, room):
        self.room = room + '/'
        self.kept = []
        self.first = None
        for name, module in list(sys.modules.items()):
            if name in ('__main__', 'sys', 'site', 'sitecustomize', 'warnings', 'readline', 'rlcompleter') or not isinstance(module, types.ModuleType): continue
            measures = name in ('_pytest.python_api', 'unittest.case')
            for key, value in list(vars(module).items()):
                if not isinstance(value, (type, types.ModuleType)) and not callable(value): continue
                self.kept.append((name + '.' + key, vars(module), key, value))
                if isinstance(value, type) and getattr(value, '__module__', None) == name:
                    for inner, member in list(vars(value).items()):
                        if callable(member) or isinstance(member, (staticmethod, classmethod, property)) or (measures and isinstance(member, (int, float))):
                            self.kept.append((name + '.' + key + '.' + inner, vars(value), inner, member))
    def _place(self, value, depth=0):
        if isinstance(value, property): value = value.fget
        value = getattr(value, '__func__', value)
        code = getattr(value, '__code__', None)
        if code is not None and getattr(value, '__closure__', None) and depth < 3:
            for cell in value.__closure__:
                try: place = self._place(cell.cell_contents, depth + 1)
                except ValueError: continue
                if place: return place
        if code is None and not isinstance(value, type):
            inner = getattr(value, 'func', None)
            if inner is not None and depth < 3: return self._place(inner, depth + 1)
            value = type(value)
        path = code.co_filename if code is not None else getattr(sys.modules.get(getattr(value, '__module__', None)), '__file__', None)
        if isinstance(path, str) and '-packages/_pytest/' in path: return None
        return path[len(self.room):] if isinstance(path, str) and path.startswith(self.room) and '-packages/' not in path else ''
    def found(self):
        found = []
        for what, holder, key, old in self.kept:
            now = holder.get(key)
            if now is not old and len(found) < 200:
                try: place = self._place(now)
                except Exception: place = ''
                if place is not None: found.append({'what': what, 'by': place})
        return found
    def loaded(self):
        if self.first is None: self.first = self.found()
    def again(self):
        return [*(self.first or []), *self.found()]
