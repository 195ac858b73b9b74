/** The page of names that users meet: roles, events, marks and trailers, from where the code has them. Pure. */
import { EVENT_REFERENCE } from './event-reference.ts';
import { TRAILERS } from '../../src/domain/trailers.ts';
import { ACTION_MARKS } from '../../src/journal/actions.ts';
import { parseRole, type Role } from '../../src/prompts/role.ts';
import { SHIPPED_ROLES } from '../../src/prompts/shipped.ts';

/** Path below the package → content. */
export function generatedFiles(): Record<string, string> {
  return { 'docs/names.md': namesPage() };
}

function namesPage(): string {
  return [
    '# Names',
    '',
    '<!-- Made from the sources by `npm run docs`: scripts/docs/names-page.ts says where each table comes from. -->',
    '',
    'Roles, events, marks and commit trailers. Settings and the fields of `features.json` are in [configuration.md](configuration.md), reasons and exit codes in',
    '[exit-codes.md](exit-codes.md).',
    '',
    '## Roles',
    '',
    'What an agent can be asked to be. The name is in its environment as `HARNESS_ROLE`; where it has to write a file, `HARNESS_OUTPUT` is its path. How to',
    'replace one or add your own: [roles.md](roles.md).',
    '',
    '| role | writes | replies with |',
    '| --- | --- | --- |',
    ...roles().map(
      ({ role, output, reply }) =>
        `| \`${role}\` | ${output === null ? '' : `\`${output}\``} | ${reply === null ? '' : `${reply.where} line \`${cell(reply.pattern.source)}\``} |`,
    ),
    '',
    '## Events',
    '',
    'What long commands print with `--json`, one object per line, and what `events.jsonl` keeps. Every event has `type` and `ts`.',
    '',
    '| type | when | fields |',
    '| --- | --- | --- |',
    ...Object.entries(EVENT_REFERENCE).map(([type, { when, fields }]) => `| \`${type}\` | ${cell(when)} | ${fieldList(fields)} |`),
    '',
    '## Marks',
    '',
    'An agent may begin a line of its text with one of these, so that people see in `harness log session N` what it did. No verdict rests on them, and an agent that',
    'uses none loses nothing: its tool calls are read instead.',
    '',
    '| mark | meaning |',
    '| --- | --- |',
    ...Object.entries(ACTION_MARKS).map(([mark, { meaning }]) => `| \`[${mark}]\` | ${cell(meaning)} |`),
    '',
    '## Commit trailers',
    '',
    'The last lines of a commit that the harness made; `git log --format="%(trailers)"` shows them.',
    '',
    '| trailer | meaning |',
    '| --- | --- |',
    ...Object.entries(TRAILERS).map(([name, meaning]) => `| \`${name}\` | ${cell(meaning)} |`),
    '',
  ].join('\n');
}

function roles(): Role[] {
  return Object.entries(SHIPPED_ROLES).map(([name, text]) => parseRole(text, name));
}

function fieldList(fields: Readonly<Record<string, string>>): string {
  return Object.entries(fields)
    .map(([name, meaning]) => `\`${name}\`${meaning === '' ? '' : ` (${cell(meaning)})`}`)
    .join(', ');
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}
