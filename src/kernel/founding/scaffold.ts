/** The harness's own files in a project: what is missing, and what it should say. Pure. */
const STATE_IGNORE_LINE = '.harness/';

export function progressFileText(project: string): string {
  const bar = '='.repeat(80);
  return `${bar}\nPROGRESS LOG - ${project}\n${bar}\n\nEach session adds an entry below: what it did, how it was verified, decisions, what is left.\nThe harness summarises the last entries for the next session.\n`;
}

export function scriptText(kind: 'init' | 'reset'): string {
  const purpose =
    kind === 'init'
      ? '# Starts what the project needs to run (services, databases, a development server) and ends with status 0.'
      : '# Forces a clean state: stops leftovers, resets data, so that init.sh works again.';
  return `#!/bin/sh\n${purpose}\n# This project needs nothing yet.\nset -e\nexit 0\n`;
}

/** The text of `.gitignore` with the state directory in it. */
export function withStateIgnored(text: string | null, stateDir: string): string {
  const line = stateDir === '.harness' ? STATE_IGNORE_LINE : `${stateDir.replace(/\/$/, '')}/`;
  if (text === null || text === '') return `${line}\n`;
  return `${text}${text.endsWith('\n') ? '' : '\n'}${line}\n`;
}
