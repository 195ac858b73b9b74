/** What a scripted model says and does in every role of a mission, whichever agent asks it. */
import { output, part, type Conversation, type Tools } from './flow-scenarios.ts';
import type { Plan } from './mission-agent.ts';

const shell = (command: string): Tools[number] => ({ name: 'shell', input: { command } });
const file = (path: string, content: string): Tools[number] => ({ name: 'write_file', input: { path, content } });

const testOf = (name: string): string => `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ${name} } from '../src/${name}.js';
test('${name} gives', () => assert.equal(${name}(3), ${name.length + 6}));
`;

/** The planner writes this plan; each worker builds its feature and shows the run; validators quote what was recorded. */
export function missionConversations(plan: Plan): Conversation[] {
  const counts = `PLAN: ${plan.features.length} features, ${plan.claims.length} claims`;
  return [
    part('plan.json', counts, JSON.stringify(plan)),
    part('review.md', 'REVIEW: accept', 'Fine.\n'),
    ...plan.features.map(validator),
    part('memory.json', 'CURATED', '{"summary":"All of it is there."}'),
    ...plan.features.map(worker),
  ];
}

function validator({ id, claims }: Plan['features'][number]): Conversation {
  const quote = `passed test/f${Number(id.slice(2))}.test.js`;
  const answer = { claims: claims.map((claim) => ({ id: claim, pass: true, quote })), issues: [] };
  return {
    when: { contains: `output/validation.json.\n\nFEATURE_ID=${id}\n` },
    steps: [{ tools: [output('validation.json', JSON.stringify(answer))] }, { text: 'VERDICT: pass' }],
  };
}

function worker({ id }: Plan['features'][number]): Conversation {
  const number = Number(id.slice(2));
  const name = `f${number}`;
  const path = `test/${name}.test.js`;
  return {
    when: { contains: path },
    steps: [
      { tools: [file(`src/${name}.js`, `export const ${name} = (n) => n * 2 + ${name.length};\n`), file(path, testOf(name))] },
      { tools: [shell(`node --test ${path}`)] },
      { text: `NOTE: ${id} is built\nDONE ${id}` },
    ],
  };
}
