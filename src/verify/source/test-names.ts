/** Which test of a file a result belongs to, and what a test is known by when its title differs from run to run. */
import { createHash } from 'node:crypto';
import type { SourceReading, SourceStatement, SourceTest } from './source.ts';
import { onlyOne } from '../../domain/items.ts';

/** Whether a result's name is that of a test with this title: groups stand before it, parameters after it. */
export function isNamed(name: string, title: string): boolean {
  if (name === title || name.endsWith(` > ${title}`)) return true;
  if (!/^test\w*$/.test(title)) return false;
  return name.startsWith(`${title}[`) || name.includes(` > ${title}[`);
}

/** The one test that a result can belong to; plain titles come before those that are worked out. Of several of one title, the groups tell. */
export function testNamed(reading: SourceReading, name: string, text: string): SourceTest | null {
  const titled = reading.tests.flatMap((one) => {
    const title = one.title === null ? null : onlyOne(one.title);
    return title !== null && isNamed(name, title) ? [{ one, title }] : [];
  });
  const plain =
    titled.length < 2 ? titled : titled.filter(({ one, title }) => standsIn(groupsOf(name, title), reading.statements, one, text));
  if (titled.length > 0) return onlyOne(plain)?.one ?? null;
  const open = reading.tests.filter((one) => one.title !== null && one.title.length > 1 && fits(name, one.title));
  return onlyOne(open);
}

function groupsOf(name: string, title: string): string[] {
  return name
    .slice(0, name.lastIndexOf(title))
    .split(' > ')
    .filter((group) => group !== '');
}

/** Whether these groups, and no others, stand around a test, each with its title in plain letters. */
function standsIn(groups: readonly string[], statements: readonly SourceStatement[], test: SourceTest, text: string): boolean {
  const around = statements.find((one) => one.kind === 'group' && one.start <= test.start && test.end <= one.end);
  if (around === undefined || around.header === null || groups.length === 0) return around === undefined && groups.length === 0;
  const header = text.slice(around.header.start, around.header.end);
  const [group = '', ...rest] = groups;
  const isTitled = [`'${group}'`, `"${group}"`, `\`${group}\``, `class ${group}:`, `class ${group}(`].some((one) => header.includes(one));
  return isTitled && standsIn(rest, around.inner, test, text);
}

/** The last part begins a group or the name, the others follow in order, and the name ends with the last of them. */
function fits(name: string, parts: readonly string[]): boolean {
  const [first = '', ...rest] = parts;
  const last = rest.at(-1) ?? '';
  const begins = name.startsWith(first) ? 0 : name.lastIndexOf(` > ${first}`);
  if (begins < 0 || !name.endsWith(last)) return false;
  let at = begins + (begins === 0 && name.startsWith(first) ? 0 : 3) + first.length;
  for (const part of rest.slice(0, -1)) {
    const found = name.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at <= name.length - last.length;
}

/** A hash of what a test does, without its name and its spacing. */
export function bodyHash(text: string, one: SourceTest): string {
  const body = text.slice(one.body.start, one.body.end).replace(/\s+/g, ' ').trim();
  return createHash('sha256').update(body).digest('hex').slice(0, 32);
}
