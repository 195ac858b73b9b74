#!/usr/bin/env node
// Starts the bundled program; in a checkout whose bundle is missing, builds it first. What a small bundle of its own can answer in a
// moment is answered by that. Plain CommonJS, because Node starts it faster.
'use strict';
const { existsSync } = require('node:fs');
const { join } = require('node:path');

const dist = join(__dirname, '..', 'dist');
const QUICK = ['status', '--help', '-h', '--version', '-V'];

process.exitCode = 1; // Until there is an answer: what ends without one has failed.
start().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});

async function start() {
  if (!existsSync(join(dist, 'main.cjs'))) await import('../scripts/build.mjs');
  const words = process.argv.slice(2);
  const [status, quick] = [join(dist, 'quick-status.cjs'), join(dist, 'quick.cjs')];
  if (words[0] === 'status' && existsSync(status) && (await require(status).answerStatus(words))) return answered();
  if (words.some((word) => QUICK.includes(word)) && existsSync(quick) && (await require(quick).answerQuickly(words))) return answered();
  await require(join(dist, 'start.cjs')).start(join(dist, 'main.cjs'), words).finished;
}

function answered() {
  process.exitCode = 0;
}
