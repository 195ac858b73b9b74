import { expect, test } from 'vitest';
import { jestRunner } from './jest.ts';
import { withoutCoverage } from './options.ts';
import { vitestRunner } from './vitest.ts';

test.each([
  ['--coverage test/a.test.js', 'test/a.test.js'],
  ['--coverage=true --coverage.enabled false a', 'a'],
  ['--coverage.provider=v8 --coverage.reporter text --coverage.thresholds.lines 80 a', 'a'],
  ['--coverage.all a --coverage.thresholds.100 b', 'a b'],
  ['--collectCoverage --collectCoverageFrom src/**/*.js --coverageDirectory out --coverageThreshold={} a', 'a'],
  ['--no-coverage --config jest.config.js', '--config jest.config.js'],
  ['--covered a', '--covered a'],
])('%s', (words, kept) => {
  expect(withoutCoverage(words.split(' '))).toEqual(kept.split(' '));
});

test.each([
  ['jest --env node --reporters default --outputFile=x a', '--env node a'],
  ['jest --reporters --ci a', 'a'],
  ['jest --bail a', 'a'],
])('%s keeps what is not about its report', (words, kept) => {
  expect(jestRunner.detect(words.split(' '), new Set())?.args).toEqual(kept.split(' '));
});

test.each([
  ['vitest run --reporter verbose --environment node a', '--environment node a'],
  ['vitest --reporter=dot --bail 1 a', 'a'],
])('%s keeps what is not about its report', (words, kept) => {
  expect(vitestRunner.detect(words.split(' '), new Set())?.args).toEqual(kept.split(' '));
});
