/** The small project that every behaviour starts from: one accepted feature, the assigned one, and one that is still open. */
import type { Feature } from '../../src/domain/feature.ts';
import type { Files } from './behaviour.ts';
import type { Dialect } from './dialect.ts';
import { CORPUS_RUNNERS } from './runners.ts';

export function baseFiles(t: Dialect): Record<string, string> {
  const manifest = {
    name: 'shop',
    version: '1.0.0',
    ...(CORPUS_RUNNERS[t.runner].isModule ? { type: 'module' } : {}),
    scripts: { test: CORPUS_RUNNERS[t.runner].script },
  };
  return {
    ...(t.js ? { 'package.json': `${JSON.stringify(manifest, null, 2)}\n` } : {}),
    '.gitignore': 'node_modules/\n.harness/\nprivate/\n__pycache__/\n*.log\n',
    '.harness.yaml': 'project:\n  name: shop\n',
    'init.sh': '#!/bin/sh\nexit 0\n',
    'reset.sh': '#!/bin/sh\nexit 0\n',
    'README.md': '# Shop\n',
    'claude-progress.txt': 'Session 1: sums work.\n',
    'features.json': listText(t, {}),
    [t.sumCode]: t.sumRight,
    [t.sumTest]: t.sumSuite,
  };
}

export function baseOf(t: Dialect, more: Files, feature: Partial<Feature>): Files {
  return { ...baseFiles(t), 'features.json': listText(t, feature), ...more };
}

export function features(t: Dialect, change: Partial<Feature>): Feature[] {
  return [
    { id: 1, description: 'A user adds two numbers', test_file: t.sumTest, verification_steps: ['1 and 2 make 3'], passes: true },
    {
      id: 2,
      description: t.subject.says,
      test_file: t.featureTest,
      verification_steps: [`${t.input} becomes ${t.output}`],
      depends_on: [1],
      passes: false,
      ...change,
    },
    { id: 3, description: 'A user prints a page', test_file: t.testPath('print'), passes: false },
  ];
}

export function listText(t: Dialect, change: Partial<Feature>): string {
  return `${JSON.stringify({ project: 'shop', last_updated: '2026-01-01', features: features(t, change) }, null, 2)}\n`;
}

/** The trusted list with some of it changed. */
export function listWith(t: Dialect, change: (list: { project: string; features: Feature[]; [key: string]: unknown }) => void): string {
  const list = JSON.parse(listText(t, {})) as { project: string; features: Feature[] };
  change(list);
  return `${JSON.stringify(list, null, 2)}\n`;
}
