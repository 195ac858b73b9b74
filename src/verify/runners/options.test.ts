import { expect, test } from 'vitest';
import { withoutCoverage } from './options.ts';

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
