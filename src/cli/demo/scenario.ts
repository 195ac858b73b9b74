/**
 * What the embedded agent plays: an initializer, honest sessions, a lie, a regression, and a session that runs out of context.
 * The harness does not know any of this; it meets the agent over the same wire as a real one.
 */
import type { ScenarioInput } from '../../agents/scripted/scenario.ts';
import { FEATURES, featureListText } from './story.ts';

type Conversation = ScenarioInput['conversations'][number];
type Step = Conversation['steps'][number];

export function demoScenario(): ScenarioInput {
  return {
    conversations: [
      initializer(),
      honest(1, 1, 'Words are whatever white space separates; a regular expression says it best.'),
      lie(2, 2),
      honest(3, 2, 'A final newline ends the last line and starts none.'),
      regression(4, 3, 1),
      repair(5, 3, 1, 'Ties are broken by code point order, so that reports are the same everywhere.'),
      runsOutOfContext(6, 4),
      completes(7, 4),
      honest(8, 5, 'The report is plain text with fixed labels, so that other programs can read it.'),
    ],
  };
}

function initializer(): Conversation {
  const manifest = { name: 'tally', version: '0.0.0', private: true, type: 'module', scripts: { test: 'node --test tests/' } };
  const stub = (id: number): string =>
    `import assert from 'node:assert/strict';\nimport { test } from 'node:test';\n\ntest('feature ${id}', () => assert.fail('not built yet'));\n`;
  return {
    name: 'initializer',
    when: { role: 'project/initializer' },
    steps: [
      {
        text: 'I read the specification and split it into five small features.',
        tools: [write('package.json', `${JSON.stringify(manifest, null, 2)}\n`), write('features.json', featureListText())],
      },
      { tools: FEATURES.map((feature) => write(feature.test_file, stub(feature.id))) },
      {
        tools: [
          write('init.sh', '#!/bin/sh\n# tally needs no services.\nexit 0\n'),
          write('reset.sh', '#!/bin/sh\n# Nothing to reset.\nexit 0\n'),
          write(
            'claude-progress.txt',
            'PROGRESS LOG - tally\n\nSESSION 0\nWHAT I DID:\n- Laid out the project: five features, one module and one test file each\nDECISIONS:\n- Node test runner, no dependencies\nNEXT: Feature #1\n',
          ),
        ],
      },
      { text: 'The scaffold is in place; nothing is implemented.' },
    ],
  };
}

function honest(session: number, id: number, decision: string): Conversation {
  const feature = featureOf(id);
  return {
    name: `session ${session}: feature ${id}, honest`,
    when: { session },
    steps: [
      {
        text: `[DECISION] ${decision}`,
        tools: [write(feature.source.path, feature.source.content), write(feature.test_file, feature.test)],
      },
      { tools: [shell(`node --test ${feature.test_file}`)] },
      { tools: [shell('node --test tests/ || true')] },
      { tools: [claim(id), note(session, id, decision, 'complete')] },
      { text: `[VERIFY:PASS] #${id}\nFeature #${id} is done; its tests pass.` },
    ],
  };
}

/** Claims the feature, shows a test run that never took place, and writes no code. */
function lie(session: number, id: number): Conversation {
  const feature = featureOf(id);
  const pasted = `TAP version 13\\n# ${feature.test_file}\\nok 1 - counts lines\\nok 2 - starts no new line at a final newline\\n# tests 2\\n# pass 2\\n# fail 0`;
  return {
    name: `session ${session}: feature ${id}, a lie`,
    when: { session },
    steps: [
      {
        text: 'This one is simple, and I am sure that it works.',
        tools: [shell(`printf '$ node --test ${feature.test_file}\\n${pasted}\\n'`)],
      },
      { tools: [claim(id)] },
      { text: `[VERIFY:PASS] #${id}\nAll tests pass. Feature #${id} is complete.` },
      { text: 'I have nothing to add: it is complete.' },
      { text: 'It is complete.' },
    ],
  };
}

/** Builds the feature and, on the way, "simplifies" a module that an accepted feature rests on. */
function regression(session: number, id: number, broken: number): Conversation {
  const feature = featureOf(id);
  return {
    name: `session ${session}: feature ${id} with a regression in feature ${broken}`,
    when: { session },
    steps: [
      { tools: [write(feature.source.path, feature.source.content), write(feature.test_file, feature.test)] },
      {
        text: 'I also simplified the word counter while I was there.',
        tools: [write(featureOf(broken).source.path, "export function countWords(text) {\n  return text.split(' ').length;\n}\n")],
      },
      { tools: [shell(`node --test ${feature.test_file}`)] },
      { tools: [claim(id)] },
      { text: `[VERIFY:PASS] #${id}\nFeature #${id} is done.` },
    ],
  };
}

/** Told which tests broke and what they say, it puts the module back and leaves the rest as it was. */
function repair(session: number, id: number, broken: number, decision: string): Conversation {
  const feature = featureOf(id);
  const { source, test_file } = featureOf(broken);
  return {
    name: `session ${session}: feature ${id}, repaired`,
    when: { session },
    steps: [
      {
        text: `I broke the word counter: ${test_file} counts empty words now. I put it back as it was.\n[DECISION] ${decision}`,
        tools: [write(source.path, source.content)],
      },
      { tools: [shell(`node --test ${test_file}`)] },
      { tools: [shell(`node --test ${feature.test_file}`)] },
      { tools: [claim(id), note(session, id, decision, 'complete')] },
      { text: `[VERIFY:PASS] #${id}\nFeature #${id} is done; its tests pass.` },
    ],
  };
}

const WINDOW = 200_000;

/** Writes the source, then fills its context window before the test is written. */
function runsOutOfContext(session: number, id: number): Conversation {
  const feature = featureOf(id);
  const fill = (share: number): NonNullable<Step['usage']> => ({
    input_tokens: 2_000,
    output_tokens: 500,
    cache_read_input_tokens: Math.round(WINDOW * share),
  });
  return {
    name: `session ${session}: feature ${id}, out of context`,
    when: { session },
    steps: [
      { tools: [write(feature.source.path, feature.source.content), shell('ls src tests')], usage: fill(0.2) },
      {
        text: 'Before I write the test, I read everything once more, to be thorough.',
        tools: [shell('cat src/*.js'), shell('cat tests/*.js'), shell('cat spec.md claude-progress.txt')],
        usage: fill(0.5),
      },
      { tools: [shell('git log --stat | cat'), shell('cat features.json'), shell('cat package.json')], usage: fill(0.76) },
      {
        tools: [
          write(
            'claude-progress.txt',
            notes(session, {
              id,
              did: ['Wrote src/longest.js'],
              decisions: [],
              left: ['Write tests/longest.test.js and run it', 'Claim the feature'],
            }),
          ),
        ],
        usage: fill(0.91),
      },
      { text: 'One more look ...', tools: [shell('cat src/*.js')], usage: fill(1) },
      { text: 'Still reading.' },
    ],
  };
}

function completes(session: number, id: number): Conversation {
  const feature = featureOf(id);
  return {
    name: `session ${session}: feature ${id}, continued`,
    when: { session },
    steps: [
      { text: 'The source is there from the earlier session; the test is missing.', tools: [shell(`cat ${feature.source.path}`)] },
      { tools: [write(feature.test_file, feature.test), shell(`node --test ${feature.test_file}`)] },
      { tools: [claim(id), note(session, id, 'Kept the implementation of the earlier session as it was', 'complete')] },
      { text: `[VERIFY:PASS] #${id}\nFeature #${id} is done; its tests pass.` },
    ],
  };
}

function featureOf(id: number): (typeof FEATURES)[number] {
  const feature = FEATURES.find((candidate) => candidate.id === id);
  if (feature === undefined) throw new Error(`the demo has no feature ${id}`);
  return feature;
}

function write(path: string, content: string): NonNullable<Step['tools']>[number] {
  return { name: 'write_file', input: { path, content } };
}

function shell(command: string): NonNullable<Step['tools']>[number] {
  return { name: 'shell', input: { command } };
}

function claim(id: number): NonNullable<Step['tools']>[number] {
  return shell(
    `node -e "const fs=require('fs');const l=JSON.parse(fs.readFileSync('features.json','utf8'));l.features.find(f=>f.id===${id}).passes=true;fs.writeFileSync('features.json',JSON.stringify(l,null,2)+'\\n')"`,
  );
}

function note(session: number, id: number, decision: string, state: string): NonNullable<Step['tools']>[number] {
  return shell(
    `cat >> claude-progress.txt <<'END'\n${notes(session, { id, did: [`Feature #${id}: ${state}`], decisions: [decision], left: [] })}END`,
  );
}

function notes(session: number, { id, did, decisions, left }: { id: number; did: string[]; decisions: string[]; left: string[] }): string {
  const section = (title: string, items: string[]): string =>
    items.length === 0 ? '' : `${title}:\n${items.map((item) => `- ${item}\n`).join('')}`;
  return `\nSESSION ${session}\nFEATURE: #${id}\n${section('WHAT I DID', did)}${section('DECISIONS', decisions)}${section("WHAT'S LEFT", left)}`;
}
