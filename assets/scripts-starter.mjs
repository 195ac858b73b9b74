// Behind `seal`, `stringify` and `settings`: runs test files that are programs, and reports what their listeners sent.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
const opened = (content, key) => {
  const at = content.lastIndexOf('\n', content.length - 2) + 1;
  return content.slice(at).trim() === createHmac('sha256', key).update(content.slice(0, at)).digest('hex') ? content.slice(0, at) : null;
};
const run = (file) =>
  new Promise((done) => {
    const key = randomBytes(32).toString('hex');
    const child = spawn(process.execPath, [...settings.args, file], { stdio: ['ignore', 'inherit', 'pipe', 'pipe', 'pipe'] });
    const told = [];
    let stderr = '';
    child.stderr.on('data', (data) => {
      process.stderr.write(data);
      stderr = (stderr + data).slice(-8000);
    });
    child.stdio[4].on('data', (data) => told.push(data));
    for (const stream of [child.stderr, child.stdio[3], child.stdio[4]]) stream.on('error', () => {});
    child.on('error', (error) => done({ file, code: 1, tests: [], problem: String(error) }));
    child.on('close', (code, signal) => {
      const content = opened(Buffer.concat(told).toString('utf8'), key);
      done({ file, code, signal, tests: content === null ? null : JSON.parse(content), stderr });
    });
    child.stdio[3].end(JSON.stringify({ key, forceExit: settings.forceExit, file }));
  });
const waiting = [...settings.files];
const results = [];
await Promise.all(
  Array.from({ length: Math.max(1, settings.sideBySide) }, async () => {
    for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) results.push(await run(file));
  }),
);
results.sort((a, b) => settings.files.indexOf(a.file) - settings.files.indexOf(b.file));
const status = results.every((one) => one.code === 0) ? 0 : 1;
const whole = [...results, { end: status, lines: results.length }].map((one) => stringify(one) + '\n').join('');
writeFileSync(settings.report, whole + seal(whole));
process.exit(status);
