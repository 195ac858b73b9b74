# Behind `ordinary.py`: there is a terminal.
_isatty = os.isatty
os.isatty = lambda descriptor: (descriptor in (0, 1, 2) and _asked(1)) or _isatty(descriptor)
for _stream in (sys.stdin, sys.stdout, sys.stderr):
    try: _stream.isatty = lambda real=_stream.isatty: _asked(1) or real()
    except Exception: pass
