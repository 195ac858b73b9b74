/** What a scripted model says and does in every role of the workflow and spec flows, whichever agent asks it. */
import type { ScenarioInput } from '../../src/agents/scripted/scenario.ts';
import { specText } from './spec-support.ts';

export type Conversation = ScenarioInput['conversations'][number];
export type Tools = NonNullable<Conversation['steps'][number]['tools']>;

export const file = (path: string, content: string): Tools[number] => ({ name: 'write_file', input: { path, content } });
export const output = (name: string, content: string): Tools[number] => file(`.harness/output/${name}`, content);

/** The role that has to write this file: its prompt names the path. */
export const part = (name: string, text: string, content: string, tools: Tools = []): Conversation => ({
  when: { contains: `output/${name}` },
  steps: [{ tools: [{ name: 'read_file', input: { path: 'package.json' } }] }, { tools: [...tools, output(name, content)] }, { text }],
});

const PERSONAS = ['architect', 'senior_developer', 'qa_specialist'];
const REVIEWS = ['combined', 'code_quality', 'test_stability'];

const ADD_TEST = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { add } from '../src/add.js';
test('adds', () => assert.equal(add(1, 2), 3));
`;

/** The tools with which an implementer mends the bug and proves it. */
export const MENDS: Tools = [file('src/add.js', 'export function add(a, b) {\n  return a + b;\n}\n'), file('test/add.test.js', ADD_TEST)];

export const WORKFLOW: readonly Conversation[] = [
  ...PERSONAS.map((persona) => part(`proposal_${persona}.md`, 'proposal written — add adds', `# Proposal of the ${persona}\n`)),
  ...PERSONAS.map((persona) => part(`critique_${persona}.md`, 'critique written — agreed', `# Critique of the ${persona}\n`)),
  part('spec.md', 'spec written — add adds', '# Spec\nadd must add\n'),
  part('plan.md', 'plan written — one file', '# Plan\n1. the sign\n'),
  ...REVIEWS.map((name) => part(`review_${name}.md`, 'review written — fine', '# Review\n')),
  part('changes.md', 'changed 2 files — add adds', '- `src/add.js`\n- `test/add.test.js`\n', MENDS),
  part('qa_report.md', 'PASS — meets the spec', '# QA\n\n### Verdict: PASS\n'),
];

const analyst = (name: string, persona: string): Conversation =>
  part(`analysis_${name}.md`, `Done.\n\n${persona} analysis written — 1 point`, `${persona}: fine\n`);

export const SPEC: readonly Conversation[] = [
  part('questions.json', 'asked', '{"questions":[{"question":"Who uses it?","why":"view"}]}'),
  analyst('requirements', 'requirements'),
  analyst('scenarios', 'scenario'),
  analyst('risk', 'risk'),
  analyst('tech_constraint', 'tech constraint'),
  part('spec.md', 'written', specText('Orders for the back office')),
  part('critic_findings.md', 'critic_findings written — Critical=0, Major=0, Minor=1', '[m1] wording\n'),
];
