# Behind `_elsewhere`.
import os, re, shlex, subprocess, sys
def _without(text, part, mark): return (mark + (text or '') + mark).replace(mark + part + mark, mark, 1)[1:-1]
_node_option = '--require="' + _elsewhere['node'] + '"'
for _name, _part, _mark in (('NODE_OPTIONS', _node_option, ' '), ('PYTHONPATH', _elsewhere['python'], ':')):
    if _part in os.environ.get(_name, ''):
        _left = _without(os.environ[_name], _part, _mark)
        if _left: os.environ[_name] = _left
        else: del os.environ[_name]
def _note(names):
    try:
        if names:
            with open(_elsewhere['started'], 'a', encoding='utf-8') as stream: stream.write('\n'.join(names) + '\n')
    except OSError: pass
def _place(name, env, cwd):
    if '/' in name: return os.path.join(cwd, name)
    found = [os.path.join(folder, name) for folder in env.get('PATH', os.defpath).split(':')]
    return next((one for one in found if os.path.isfile(one)), None)
def _outside(words, env, cwd):
    file = os.fspath(words[0]) if words else ''
    if isinstance(file, bytes): file = os.fsdecode(file)
    name = os.path.basename(file)
    if file == sys.executable or re.match(r'(?:node|nodejs|python[\d.]*|pypy[\d.]*|given_timeless)$', name): return []
    if re.match(r'(?:ba|da|z|k)?sh$', name) and len(words) > 2 and re.match(r'-\w*c$', str(words[1])): return _in_shell(str(words[2]), env, cwd)
    place = _place(file, env, cwd)
    if place is None: return []
    try:
        with open(place, 'rb') as stream: first = stream.readline(200)
    except OSError: first = b''
    return [] if re.match(rb'#!.*\b(?:node|python)', first) else [name]
def _in_shell(command, env, cwd):
    if re.search(r'`|\$\(', command): return ['sh']
    names = []
    plain = re.sub(r'"[^"]*"|\'[^\']*\'', lambda one: re.sub(r'[;&|\n]', '_', one.group()), command)
    for part in re.split(r'[;&|\n]+', plain):
        try: words = shlex.split(part.strip().lstrip('({ '))
        except ValueError: words = ['sh']
        while words and (words[0] in ('exec', 'env', 'time') or re.match(r'\w+=', words[0])): words = words[1:]
        if not words: continue
        names += ['sh'] if '$' in words[0] else _outside(words[:1], env, cwd)
    return names
_ARGUMENTS = ('bufsize', 'executable', 'stdin', 'stdout', 'stderr', 'preexec_fn', 'close_fds', 'shell', 'cwd', 'env')
_popen = subprocess.Popen.__init__
def _start(self, args, *more, **named):
    try:
        given = dict(zip(_ARGUMENTS, more), **named)
        env = {os.fsdecode(name): os.fsdecode(value) for name, value in dict(os.environ if given.get('env') is None else given['env']).items()}
        words = [args] if isinstance(args, (str, bytes, os.PathLike)) else list(args)
        if given.get('shell'): words = ['sh', '-c', os.fsdecode(words[0])]
        if given.get('executable'): words[0] = given['executable']
        _note(_outside(words, env, os.fspath(given.get('cwd') or os.getcwd())))
        if not any(_elsewhere['node'] in str(word) for word in words):
            env['NODE_OPTIONS'] = ' '.join(one for one in (_without(env.get('NODE_OPTIONS'), _node_option, ' '), _node_option) if one)
        env['PYTHONPATH'] = ':'.join(one for one in (_elsewhere['python'], _without(env.get('PYTHONPATH'), _elsewhere['python'], ':')) if one)
        more, named = more[:9], dict(zip(_ARGUMENTS[9:], more[9:10]), **named)
        named['env'] = env
    except Exception: pass
    return _popen(self, args, *more, **named)
subprocess.Popen.__init__ = _start
def _noted(real, name):
    def start(*given, **named):
        _note([name])
        return real(*given, **named)
    return start
for _name in ('system', 'posix_spawn', 'posix_spawnp'):
    if hasattr(os, _name): setattr(os, _name, _noted(getattr(os, _name), 'sh' if _name == 'system' else _name))
