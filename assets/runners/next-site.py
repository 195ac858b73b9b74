# What this file stands in front of is loaded after it.
sys.path[:] = [one for one in sys.path if one != _elsewhere['python']]
_own = sys.modules.pop('sitecustomize', None)
try: import sitecustomize
except ImportError: pass
sys.modules.setdefault('sitecustomize', _own)
