/** What recorders in Python share: a report that is sealed with a key which nobody can read after them. */

export const PYTHON_ENVIRONMENT = { PYTHONPATH: '', PYTHONDONTWRITEBYTECODE: '1', PYTHONHASHSEED: '0', PYTHONNOUSERSITE: '1' };

/** Imports what it needs; the key's file is gone once a recorder is made. */
export const PYTHON_RECORDER = `import hashlib, hmac, importlib.util, json, os, random
class Recorder:
    def __init__(self, path, key):
        with open(key, encoding='ascii') as stream: secret = stream.read()
        os.unlink(key)
        self.mac = hmac.new(secret.encode('ascii'), digestmod=hashlib.sha256)
        self.stream = open(path, 'w', encoding='utf-8', errors='replace')
        self.lines = 0
    def put(self, value):
        line = json.dumps(value) + '\\n'
        self.mac.update(line.encode('ascii'))
        self.stream.write(line)
        self.stream.flush()
        self.lines += 1
    def close(self, value):
        self.put(dict(value, lines=self.lines))
        self.stream.write(json.dumps({'seal': self.mac.hexdigest()}, separators=(',', ':')) + '\\n')
        self.stream.close()`;

/** A value as Python spells it. */
export function pythonLiteral(value: unknown): string {
  return value === null || value === undefined ? 'None' : JSON.stringify(value);
}
