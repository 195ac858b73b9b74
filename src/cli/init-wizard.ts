/**
 * `harness init` at a terminal, without arguments: agent, test command, and what is to be built.
 *
 * 1. Its answers are the command's own options: what follows is the same code.
 * 2. Nothing is written before the last answer; leaving it leaves nothing behind.
 */
import { join } from 'node:path';
import { BACKENDS, checkBackends, isBackend } from '../agents/registry.ts';
import { detectProject } from '../config/detect.ts';
import { loadUserSettings, userAgent } from '../config/user-settings.ts';
import { HarnessError } from '../domain/errors.ts';
import type { GateAnswer, GateOption } from '../domain/gate.ts';
import { EXIT } from '../domain/reasons.ts';
import { promptOnTerminal } from '../gates/terminal-prompt.ts';
import { checkIdentity } from '../kernel/founding/repository.ts';
import type { CommandContext } from './command.ts';
import { firstItem } from '../domain/items.ts';

export interface WizardAnswers {
  agent: string | null;
  agentCommand: string | null;
  testCommand: string | null;
  /** One of the two is null. */
  features: string | null;
  spec: string | null;
}

type Ground = Pick<CommandContext, 'platform' | 'cwd' | 'signal'>;
type Answer = Omit<GateAnswer, 'by'>;
type Named = Pick<WizardAnswers, 'agent' | 'agentCommand'>;

const LIST = 'features.json';
/** Where a wish is written down for the initializer. */
const WISH = 'SPEC.md';

/** `named`: what the command line says already. */
export async function askForSetUp(ground: Ground, named: Named): Promise<WizardAnswers> {
  const { platform, cwd } = ground;
  await checkIdentity(platform, cwd);
  const isNew = !(await platform.files.exists(join(cwd, '.harness.yaml')));
  const isNamed = named.agent !== null || named.agentCommand !== null;
  const chosen = isNew && !isNamed ? await askForAgent(ground) : named;
  const testCommand = isNew ? await askForTests(ground) : null;
  return { ...chosen, testCommand, ...(await askForWork(ground)) };
}

async function askForAgent(ground: Ground): Promise<Named> {
  const own = userAgent(await loadUserSettings(ground.platform));
  const reports = (await checkBackends(ground.platform)).flatMap((report) =>
    isBackend(report.name) && report.name !== 'scripted' ? [{ ...report, name: report.name }] : [],
  );
  const first =
    own.backend ?? reports.find(({ name, can_start }) => can_start && !BACKENDS[name].needsCommand)?.name ?? firstItem(reports).name;
  const options = reports.map(({ name, detail, can_start }): GateOption => {
    const needsCommand = BACKENDS[name].needsCommand && (name !== own.backend || own.command === undefined);
    return {
      label: name,
      description: can_start || needsCommand ? detail : `cannot start yet: ${detail}`,
      recommended: name === first,
      ...(needsCommand ? { asks: ['Which command starts it?'] } : {}),
    };
  });
  const { option, text } = await ask(ground, 'agent', { question: 'Which agent should do the work?', options });
  const agent = option !== null && isBackend(option) ? option : first;
  return { agent, agentCommand: text ?? (agent === own.backend ? (own.command ?? null) : null) };
}

/** null: as it is found, or there are no tests yet. */
async function askForTests(ground: Ground): Promise<string | null> {
  const { test } = await detectProject(ground.platform, ground.cwd);
  if (test === null) return null;
  const { text } = await ask(ground, 'tests', {
    question: `The tests are run by "${test}". Is that right?`,
    options: [
      { label: 'Yes', description: 'verdicts rest on this command', recommended: true },
      { label: 'Another command', description: 'the one that runs all tests', recommended: false, asks: ['Which command runs all tests?'] },
    ],
  });
  return text;
}

async function askForWork(ground: Ground): Promise<Pick<WizardAnswers, 'features' | 'spec'>> {
  const { files } = ground.platform;
  const has = await files.exists(join(ground.cwd, LIST));
  const hasWish = await files.exists(join(ground.cwd, WISH));
  const options: GateOption[] = [
    ...(has ? [{ label: LIST, description: 'the feature list that is here', recommended: true }] : []),
    { label: 'A feature list', description: 'a JSON file of your own', recommended: false, asks: ['Where is the feature list?'] },
    { label: 'A description', description: 'an agent turns a file into features', recommended: false, asks: ['Where is the description?'] },
    ...(hasWish
      ? []
      : [
          {
            label: 'A wish',
            description: `kept as ${WISH}; an agent turns it into features`,
            recommended: !has,
            asks: ['What should the program be able to do?'],
          },
        ]),
  ];
  const { option, text } = await ask(ground, 'work', { question: 'What should be built?', options });
  if (option === LIST) return { features: LIST, spec: null };
  if (option === 'A feature list') return { features: text, spec: null };
  if (option === 'A wish') await files.writeAtomic(join(ground.cwd, WISH), `${(text ?? '').trim()}\n`);
  return { features: null, spec: option === 'A wish' ? WISH : text };
}

async function ask(
  { platform, signal }: Ground,
  name: string,
  { question, options }: { question: string; options: GateOption[] },
): Promise<Answer> {
  const gate = { id: `init.${name}`, header: 'Set-up', question, options, non_negotiable: false, words: false as const, context: [] };
  const answer = await promptOnTerminal(gate, signal, platform.env);
  if (answer === null) throw new HarnessError('Nothing was set up.', { exitCode: EXIT.interrupted, reasons: ['interrupted'] });
  return answer;
}
