#!/usr/bin/env node
// Starts the bundled program; in a checkout whose bundle is missing, builds it first.
import { existsSync } from 'node:fs';

const bundle = new URL('../dist/main.js', import.meta.url);
if (!existsSync(bundle)) await import('../scripts/build.mjs');
await import(bundle.href);
