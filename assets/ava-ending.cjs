// Ends a worker of ava 4 and later that has nothing left to do.
'use strict';
const { exit } = process;
let isOld = false;
try {
  isOld = JSON.parse(require('node:fs').readFileSync(process.cwd() + '/node_modules/ava/package.json', 'utf8')).version.startsWith('3.');
} catch {}
if (process.send && !isOld) {
  process.on('message', (message) => {
    if (message?.ava?.type === 'free-worker') setTimeout(exit, 300).unref();
  });
  process.channel?.unref();
}
