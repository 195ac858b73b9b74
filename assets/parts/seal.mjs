// `seal(text)` gives the last line of a report. What it needs is taken before code under test can change it.
import { createHmac } from 'node:crypto';
import { readFileSync, unlinkSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
const sealKey = isMainThread ? readFileSync(given_key, 'utf8') : '';
if (isMainThread) unlinkSync(given_key);
const { apply } = Reflect;
const { stringify } = JSON;
const { update, digest } = createHmac('sha256', '');
const seal = (text) => '{"seal":"' + apply(digest, apply(update, createHmac('sha256', sealKey), [text]), ['hex']) + '"}\n';
