import { expect, test } from 'vitest';
import { speaksOfOutage } from './failure-words.ts';

test.each([
  'API Error: 529 {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}',
  'API Error: Connection error.',
  'unexpected status 503 Service Unavailable',
  'stream error: stream disconnected before completion',
  'litellm.APIConnectionError: no route',
  'The model is currently overloaded, please try again later',
])('%s: the provider is away', (line) => expect(speaksOfOutage(line)).toBe(true));

test.each([
  'Error: connect ECONNREFUSED 127.0.0.1:3000',
  '500 tests ran, 3 failed',
  'AssertionError: expected 500 to equal 200',
  'operator + is overloaded',
  'API Error: 401 unauthorized',
  'fatal: bad revision',
])('%s: it says nothing about the provider', (line) => expect(speaksOfOutage(line)).toBe(false));
