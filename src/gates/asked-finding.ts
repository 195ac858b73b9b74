/** What was found about a candidate, as the question about it tells. Pure. */
export interface AskedFinding {
  message: string;
  /** Paths or tests that it is about. */
  subjects: readonly string[];
  /** The checks ran with the trusted versions of these files. */
  set_back?: boolean | undefined;
}

const MOST_FINDINGS = 2;
const MOST_SUBJECTS = 3;

export function foundWords(findings: readonly AskedFinding[]): string {
  const told = findings.slice(0, MOST_FINDINGS).map(words).join('; ');
  const more = findings.length - MOST_FINDINGS;
  return more > 0 ? `${told}; and ${more} more` : told;
}

/** Only where that holds of everything that is asked about. */
export function setBackWords(findings: readonly AskedFinding[]): string {
  return findings.length > 0 && findings.every((finding) => finding.set_back === true) ? 'The checks ran with the trusted versions. ' : '';
}

function words({ message, subjects }: AskedFinding): string {
  const unnamed = subjects.filter((subject) => !message.includes(subject));
  if (unnamed.length === 0) return message;
  const more = unnamed.length > MOST_SUBJECTS ? ` and ${unnamed.length - MOST_SUBJECTS} more` : '';
  return `${message} (${unnamed.slice(0, MOST_SUBJECTS).join(', ')}${more})`;
}

export function subject(feature: number | null): string {
  return feature === null ? 'The work' : `The work on feature #${feature}`;
}

export function codes(reasons: readonly string[]): string {
  return reasons.length === 0 ? '' : ` [${reasons.join(', ')}]`;
}

export function foundIn(findings: readonly AskedFinding[] = []): string {
  return findings.length === 0 ? '' : `: ${foundWords(findings)}`;
}
