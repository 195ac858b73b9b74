/**
 * Whether the agent showed a run of the feature's test file and a passing summary of a known runner.
 *
 * 1. It never counts for acceptance; its absence counts against it.
 * 2. Memory is bounded: a window of the last text is kept, so that what is split over chunks is still found.
 * 3. Path and summary need not stand together.
 */
import { cleanText } from '../domain/clean-text.ts';
import type { EvidenceResult } from './contract.ts';

export interface EvidenceCollector {
  /** Any text of the session: what the agent said, the commands it ran, what they printed. */
  add(text: string): void;
  result(): EvidenceResult;
}

const WINDOW = 600;
const CHUNK = 256 * 1024;

export function createEvidenceCollector(testFile: string | null): EvidenceCollector {
  const names = testFile === null ? [] : namesOf(testFile);
  let window = '';
  let mentionsTestFile = testFile === null;
  let passingSummary: string | null = null;
  let endedFailing = false;
  const look = (chunk: string): void => {
    const text = cleanText(window + chunk);
    mentionsTestFile ||= names.some((name) => text.includes(name));
    const summary = lastSummary(text);
    if (summary?.passing === true) passingSummary = summary.runner;
    if (summary !== null) endedFailing = !summary.passing;
    window = text.slice(-WINDOW);
  };
  return {
    add: (text) => {
      for (let at = 0; at < text.length; at += CHUNK) look(text.slice(at, at + CHUNK));
      window += '\n';
    },
    result: () => ({ mentionsTestFile, passingSummary, endedFailing, shown: mentionsTestFile && passingSummary !== null }),
  };
}

/** The path as it may be written: whole, with backslashes, or its last two parts. */
function namesOf(testFile: string): string[] {
  const clean = testFile.replaceAll('\\', '/').replace(/^\.\//, '');
  const parts = clean.split('/');
  return [clean, clean.replaceAll('/', '\\'), parts.slice(-2).join('/'), parts.at(-1)!];
}

interface Summary {
  runner: string;
  passing: boolean;
  at: number;
}

const SUMMARIES: readonly { runner: string; passed: RegExp; failed: RegExp }[] = [
  { runner: 'node:test', passed: /^\s*(?:#|ℹ) pass [1-9]\d*\s*$/gmu, failed: /^\s*(?:#|ℹ) fail [1-9]\d*\s*$/gmu },
  { runner: 'vitest', passed: /^\s*Tests\s+(?!.*\bfailed\b)[^\n]*?[1-9]\d* passed/gm, failed: /^\s*Tests\s+[^\n]*?[1-9]\d* failed/gm },
  { runner: 'jest', passed: /^\s*Tests:\s+(?!.*\bfailed\b)[^\n]*?[1-9]\d* passed/gm, failed: /^\s*Tests:\s+[^\n]*?[1-9]\d* failed/gm },
  { runner: 'pytest', passed: /^(?!.*\b(?:failed|errors?)\b)[=\s]*(?:[^\n=]*,\s*)?[1-9]\d* passed\b[^\n]*? in [\d.:]+/gm, failed: /^[=\s]*[^\n]*[1-9]\d* (?:failed|errors?)\b[^\n]* in [\d.:]+/gm },
  { runner: 'mocha', passed: /^\s*[1-9]\d* passing\b/gm, failed: /^\s*[1-9]\d* failing\b/gm },
  { runner: 'go', passed: /^ok\s+\S+\s+(?:[\d.]+s|\(cached\))/gm, failed: /^(?:FAIL\s+\S+|--- FAIL:)/gm },
  { runner: 'cargo', passed: /^test result: ok\. [1-9]\d* passed/gm, failed: /^test result: FAILED/gm },
  { runner: 'unittest', passed: /^Ran [1-9]\d* tests? in [\d.]+s\s+OK\b/gm, failed: /^FAILED \((?:failures|errors)=\d+/gm },
  { runner: 'maven', passed: /Tests run: [1-9]\d*, Failures: 0, Errors: 0/g, failed: /Tests run: \d+, Failures: (?:[1-9]\d*|0, Errors: [1-9]\d*)/g },
  { runner: 'dotnet', passed: /^\s*Passed!\s+- Failed:\s+0, Passed:\s+[1-9]/gm, failed: /^\s*Failed!\s+- Failed:\s+[1-9]/gm },
  { runner: 'gradle', passed: /^BUILD SUCCESSFUL in /gm, failed: /^BUILD FAILED/gm },
  { runner: 'rspec', passed: /^[1-9]\d* examples?, 0 failures/gm, failed: /^\d+ examples?, [1-9]\d* failures?/gm },
  { runner: 'tap', passed: /^# (?:pass|passing):?\s+[1-9]\d*/gm, failed: /^not ok \d+/gm },
];

function lastSummary(text: string): Summary | null {
  const found: Summary[] = [];
  for (const { runner, passed, failed } of SUMMARIES) {
    for (const match of text.matchAll(passed)) found.push({ runner, passing: true, at: match.index });
    for (const match of text.matchAll(failed)) found.push({ runner, passing: false, at: match.index });
  }
  const tap = /^ok 1\b/m.test(text) && /^1\.\.[1-9]\d*/m.exec(text);
  if (tap && !/^not ok \d+/m.test(text)) found.push({ runner: 'tap', passing: true, at: tap.index });
  return found.toSorted((a, b) => a.at - b.at).at(-1) ?? null;
}
