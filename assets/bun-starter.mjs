// Behind `seal`, `stringify` and `settings`: runs each file by itself and reports what bun wrote.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
const packages = join(settings.room, 'node_modules');
const listed = (folder) => {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
};
const isProgram = (path) => {
  try {
    return statSync(path).size > 1000000;
  } catch {
    return false;
  }
};
const program = [
  join(packages, 'bun/bin/bun.exe'),
  ...listed(join(packages, '@oven')).map((name) => join(packages, '@oven', name, 'bin/bun')),
  ...(process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, 'bun')),
].find(isProgram);
const run = (file, number) =>
  new Promise((done) => {
    const path = join(settings.temporary, 'bun-' + number + '.xml');
    rmSync(path, { force: true });
    const child = spawn(program, [...settings.args, '--reporter=junit', '--reporter-outfile=' + path, './' + file], {
      stdio: ['ignore', 'inherit', 'pipe'],
    });
    let stderr = '';
    child.stderr.on('data', (data) => {
      process.stderr.write(data);
      stderr = (stderr + data).slice(-200000);
    });
    child.on('error', (error) => done({ file, code: 1, report: null, stderr: String(error) }));
    child.on('close', (code, signal) => {
      const failing = existsSync(file)
        ? [...readFileSync(file, 'utf8').matchAll(/\.failing(?:\.\w+)*\s*\(\s*(['"`])(.*?)\1/g)].map((match) => match[2])
        : [];
      done({ file, code, signal, report: existsSync(path) ? readFileSync(path, 'utf8') : null, stderr, failing });
    });
  });
if (program === undefined) {
  process.stderr.write('Error: bun is not installed: neither the packages of the project nor the machine have it\n');
  process.exit(127);
}
const waiting = [...settings.files.entries()];
const results = [];
await Promise.all(
  [1, 2].map(async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) results.push(await run(next[1], next[0]));
  }),
);
results.sort((a, b) => settings.files.indexOf(a.file) - settings.files.indexOf(b.file));
const status = results.every((one) => one.code === 0) ? 0 : 1;
const whole = [...results, { end: status, lines: results.length }].map((one) => stringify(one) + '\n').join('');
writeFileSync(settings.report, whole + seal(whole));
process.exit(status);
