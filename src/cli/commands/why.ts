/** `harness why N`: why work was refused, or what is asked about it, from the evidence that was kept. */
import { cleanLine, cleanText } from '../../domain/clean-text.ts';
import { EXIT } from '../../domain/reasons.ts';
import { lookAtSession, type SessionLook } from '../../flows/project/look/session.ts';
import { readPast } from '../../flows/project/look/past.ts';
import { openProject } from '../../flows/project/project.ts';
import type { Command } from '../command.ts';
import { readSubject } from '../subject.ts';

export const run: Command = async ({ platform, root, output, args }) => {
  const project = await openProject(platform, root, { emit: output.emit, journal: false });
  const look = await lookAtSession(project, await readPast(project), readSubject(args[0] ?? ''));
  output.object(look, describe(look).join('\n'));
  return { exitCode: EXIT.done };
};

function describe(look: SessionLook): string[] {
  const { record } = look;
  const words = look.words.map((line) => cleanText(line));
  const untold = look.failed.filter((test) => !words.some((line) => line.includes(cleanLine(test.id))));
  const about = look.feature === null ? record.prompt : `feature #${look.feature}`;
  return [
    `Session ${look.session} (${about}) ended as ${record.outcome}${record.reasons.length === 0 ? '' : `: ${record.reasons.join(', ')}`}.`,
    '',
    ...words,
    ...untold.flatMap((test) => ['', `${cleanLine(test.id)} (${test.status})`, ...indented(test.message ?? '')]),
    '',
    ...(look.question === null ? [] : [`A question waits: harness gates (${look.question})`]),
    `What it changed: harness diff ${look.session}`,
    ...(look.verdict === null ? [] : [`The whole verdict: harness verify --verdict ${look.verdict.id}`]),
  ];
}

function indented(text: string): string[] {
  return text === ''
    ? []
    : cleanText(text)
        .split('\n')
        .map((line) => `    ${line}`);
}
