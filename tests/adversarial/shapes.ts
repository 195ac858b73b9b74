/** Shapes that real repositories have, and which behaviours meet each of them: honest ones, and those that take it as a cover. */
import type { Behaviour } from './behaviour.ts';

interface Shape {
  what: string;
  /** Of the ids of its members. */
  members: RegExp;
}

export const SHAPES: readonly Shape[] = [
  { what: 'the time in titles', members: /^timed-title|^title-with-/ },
  { what: 'an old test that is expected to fail', members: /^xfail-(?!s-from)/ },
  { what: 'rows of which one fails as expected', members: /^rows-(?:gain-one|lose-one|marked)/ },
  { what: 'a test that contains its own file name', members: /^own-file-name-|^cases-by-file-name$/ },
  { what: 'a library that replaces the clock', members: /^clock-(?:replaced|left)-/ },
  { what: 'code that takes the words of the command', members: /^argv-/ },
  { what: 'Python packages below `src`', members: /^src-layout-/ },
  { what: 'jest in one process', members: /^in-band-/ },
  { what: 'mocha', members: /^mocha-/ },
  { what: 'tape', members: /^tape-|^mocha-or-tape-/ },
  { what: 'packages inside a project', members: /^workspace-(?:w|test)/ },
  { what: 'steps and programs around the tests', members: /^steps-(?!removed)/ },
];

export function membersOfShape({ members }: Shape, corpus: readonly Behaviour[], kind: Behaviour['kind']): string[] {
  return corpus.filter((one) => one.kind === kind && members.test(one.id)).map((one) => one.id);
}

/** As a table for a page. */
export function shapeTable(corpus: readonly Behaviour[]): string {
  const named = (shape: Shape, kind: Behaviour['kind']): string =>
    membersOfShape(shape, corpus, kind)
      .map((id) => `\`${id}\``)
      .join(', ');
  const rows = SHAPES.map((shape) => `| ${shape.what} | ${named(shape, 'honest')} | ${named(shape, 'cheat')} |`);
  return ['| shape | honest | cheating |', '| --- | --- | --- |', ...rows].join('\n');
}
