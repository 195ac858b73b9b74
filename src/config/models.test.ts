import { expect, test } from 'vitest';
import { priceFor, resolveModel, windowFor } from './models.ts';

test('names of the settings lead to ids that providers know', () => {
  expect(resolveModel('claude-sonnet-4')).toBe('claude-sonnet-4-6');
  expect(resolveModel('claude-haiku-3')).toBe('claude-haiku-4-5');
  expect(resolveModel('my-own-model')).toBe('my-own-model');
  expect(resolveModel('constructor')).toBe('constructor');
});

test('a price is known by alias, by id and by dated id', () => {
  const sonnet = { input: 3, output: 15, cache_read: 0.3, cache_write: 3.75 };
  const names = [
    'claude-sonnet-4',
    'claude-sonnet-4-6',
    'claude-sonnet-4-20250514',
    'claude-sonnet-4-5-20250929',
    'us.anthropic.claude-sonnet-4-5-20250929-v1:0',
  ];
  expect(names.map((name) => priceFor(name))).toEqual(names.map(() => sonnet));
});

test('an unknown price is null, never zero', () => {
  expect(priceFor('my-own-model')).toBeNull();
  expect(priceFor('toString')).toBeNull();
});

test('prices of the settings come first, by alias or by id', () => {
  const own = { input: 1, output: 2 };
  expect(priceFor('claude-sonnet-4', { 'claude-sonnet-4': own })).toBe(own);
  expect(priceFor('claude-sonnet-4', { 'claude-sonnet-4-6': own })).toBe(own);
  expect(priceFor('my-own-model', { 'my-own-model': own })).toBe(own);
});

test('a context window is the configured one, else by model, else 200000', () => {
  expect(windowFor('claude-opus-5', 50_000)).toBe(50_000);
  expect(windowFor('claude-opus-5')).toBe(1_000_000);
  expect(windowFor('claude-sonnet-4')).toBe(200_000);
  expect(windowFor('my-own-model')).toBe(200_000);
});
