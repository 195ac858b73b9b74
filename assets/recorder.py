import sys
while sys.path and sys.path[0] in ('', '.'): sys.path.pop(0)
import hashlib, hmac, importlib.util, json, os, random
class Recorder:
    def __init__(self, path, key):
        with open(key, encoding='ascii') as stream: secret = stream.read()
        os.unlink(key)
        self.mac = hmac.new(secret.encode('ascii'), digestmod=hashlib.sha256)
        self.stream = open(path, 'w', encoding='utf-8', errors='replace')
        self.lines = 0
    def put(self, value):
        line = json.dumps(value) + '\n'
        self.mac.update(line.encode('ascii'))
        self.stream.write(line)
        self.stream.flush()
        self.lines += 1
    def close(self, value):
        self.put(dict(value, lines=self.lines))
        self.stream.write(json.dumps({'seal': self.mac.hexdigest()}, separators=(',', ':')) + '\n')
        self.stream.close()
