/**
 * The lines by which analysts and the critic report. Pure.
 *
 * 1. An analyst's line is the last one of its reply that is not blank: `<persona> analysis written — <summary>`.
 * 2. "Nothing found" is the sentinel between em dashes and nothing else; failures are never taken for it.
 * 3. The critic's line gives three counts; a line that deviates gives none.
 */
import type { Analysis, Counts } from './state.ts';

const SENTINEL = '— no findings —';
const DISPATCH_FAILED = 'dispatch failed';
const PARSE_FAILED = 'parse failed';

/** The line as it stands, or null when it breaks its form. */
export function analystLine(reply: string): string | null {
  const last =
    reply
      .split('\n')
      .findLast((line) => line.trim() !== '')
      ?.trim() ?? '';
  return /^\S.*?\s+analysis written\s*—\s*\S/u.test(last) ? last : null;
}

export function dispatchFailedLine(persona: string): string {
  return `${persona} analysis written — ${DISPATCH_FAILED}`;
}

export function parseFailedLine(persona: string): string {
  return `${persona} analysis written — ${PARSE_FAILED}`;
}

/** Over the set that was really sent out, however many they are. */
export function nothingFound(analyses: readonly Pick<Analysis, 'line'>[]): boolean {
  return (
    analyses.length > 0 &&
    analyses.every(({ line }) => line.includes(SENTINEL) && !line.includes(DISPATCH_FAILED) && !line.includes(PARSE_FAILED))
  );
}

export function criticCounts(reply: string): Counts | null {
  const match =
    /^[^\S\n]*critic_findings[^\S\n]+written[^\S\n]*—[^\S\n]*Critical[^\S\n]*=[^\S\n]*(\d{1,6})[^\S\n]*,[^\S\n]*Major[^\S\n]*=[^\S\n]*(\d{1,6})[^\S\n]*,[^\S\n]*Minor[^\S\n]*=[^\S\n]*(\d{1,6})[^\S\n]*$/mu.exec(
      reply.replaceAll('\r\n', '\n').trim(),
    );
  return match === null ? null : { critical: Number(match[1]), major: Number(match[2]), minor: Number(match[3]) };
}

/** From the ids in a findings file, for a session whose counts were not kept. */
export function countIds(findings: string): Counts {
  const count = (letter: string): number =>
    new Set([...findings.matchAll(new RegExp(`\\[${letter}(\\d+)\\]`, 'g'))].map((match) => match[1])).size;
  return { critical: count('C'), major: count('M'), minor: count('m') };
}
