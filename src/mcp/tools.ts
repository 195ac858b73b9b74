/**
 * The tools: each is a command of the harness. What a model hands over reaches the command as values, never as options, and no tool takes a
 * command to run, a file of answers or an approval.
 */
import { z } from '../domain/zod.ts';
import { answerWords } from './questions.ts';

interface Call {
  command: string;
  rest(folder: string): readonly string[];
  files?: Readonly<Record<string, string>>;
}

export interface ToolRow {
  name: string;
  title: string;
  description: string;
  input: z.ZodObject;
  /** `look`: answers at once. `flow`: runs until it ends or asks, and a call for one under way joins it. `task`: only the very same call joins. */
  kind: 'look' | 'flow' | 'task';
  readOnly: boolean;
  call(input: Record<string, unknown>): Call;
}

const LONGEST = 100_000;
const words = (description: string) => z.string().min(1).max(LONGEST).describe(description);
const line = (description: string) => z.string().min(1).max(1_000).describe(description);
const count = (description: string) => z.number().int().min(1).max(10_000).describe(description);
/** A host may be allowed less than its user: it names no file outside of the project. */
const file = (description: string) =>
  line(description).refine((path) => !path.startsWith('/') && !path.split(/[\\/]/).includes('..'), {
    error: 'has to be a path inside the project',
  });
const AGENT = z
  .enum(['claude-code', 'codex', 'anthropic'])
  .optional()
  .describe('Which agent does the work, in a project without .harness.yaml.');

/** `[['--mode', 'single'], …]` as one word each, so that a value can never be read as an option. */
function options(input: Readonly<Record<string, unknown>>, names: Readonly<Record<string, string>>): string[] {
  return Object.entries(names).flatMap(([key, flag]) => (input[key] === undefined ? [] : [`${flag}=${String(input[key])}`]));
}

function texts(input: Readonly<Record<string, unknown>>, keys: readonly string[]): string[] {
  return keys.flatMap((key) => (typeof input[key] === 'string' ? [input[key]] : []));
}

function row<Shape extends z.ZodRawShape>(
  details: Omit<ToolRow, 'input' | 'call'> & { input: z.ZodObject<Shape>; call(input: z.infer<z.ZodObject<Shape>>): Call },
): ToolRow {
  return { ...details, call: (input) => details.call(input as z.infer<z.ZodObject<Shape>>) };
}

/** A feature is called #7 or F-007, as `harness why` takes it. */
const SUBJECT = z.union([z.number().int().min(1), z.string().regex(/^(#\d{1,9}|F-\d{1,9}|\d{1,9})$/)]);

export const TOOLS: readonly ToolRow[] = [
  row({
    name: 'harness_status',
    title: 'Where things stand',
    description: 'Shows where the project stands: what is verified, what runs, what waits for a person, what to do next. Changes nothing.',
    input: z.object({}),
    kind: 'look',
    readOnly: true,
    call: () => ({ command: 'status', rest: () => [] }),
  }),
  row({
    name: 'harness_judge',
    title: 'Judge a change',
    description:
      'Judges the working tree, or a commit, against a base: runs the tests of both in a clean room and says whether the change is proved. Nothing is moved or written. Use it before you report that work is finished; it takes about as long as the test suite, several times.',
    input: z.object({
      base: line('Commit, branch or tag to compare with; default: the main branch.').optional(),
      head: line('Commit to judge; default: the working tree.').optional(),
      test: line('Glob of the tests that prove the change; default: its new and changed tests.').optional(),
      describe: words('What the change is meant to do.').optional(),
      within: count('Stop without a verdict after this many seconds.').optional(),
    }),
    kind: 'task',
    readOnly: true,
    call: (input) => ({
      command: 'judge',
      rest: (folder) => [
        ...options(input, { base: '--base', head: '--head', test: '--test', within: '--within' }),
        ...(input.describe === undefined ? [] : [`--describe=${folder}/describe.md`]),
      ],
      ...(input.describe === undefined ? {} : { files: { 'describe.md': input.describe } }),
    }),
  }),
  row({
    name: 'harness_workflow',
    title: 'Plan, generate, verify, evaluate',
    description:
      'Starts the workflow for one task, or goes on with it: plan, generate, verify, evaluate, commit. Runs until it ends or asks. Call it again without a task after a question was answered.',
    input: z.object({
      task: words('What to do; leave it out to go on with the existing session.').optional(),
      step: z.enum(['plan', 'generate', 'verify', 'evaluate']).optional().describe('One step alone.'),
      mode: z.enum(['single', 'standard', 'multi']).optional().describe('How many agents plan it.'),
      model_config: line('Which models play the roles.').optional(),
      scope: line('Glob of the files that may change.').optional(),
      max_files: count('How many files may change.').optional(),
      agent: AGENT,
    }),
    kind: 'flow',
    readOnly: false,
    call: (input) => ({
      command: 'workflow',
      rest: () => [
        ...options(input, { mode: '--mode', model_config: '--model-config', scope: '--scope', max_files: '--max-files', agent: '--agent' }),
        '--',
        ...texts(input, ['step', 'task']),
      ],
    }),
  }),
  row({
    name: 'harness_spec',
    title: 'From a wish to a specification',
    description:
      'Starts the spec flow for a task, or goes on with it: asks what is missing, has it reviewed, writes the specification. Runs until it ends or asks.',
    input: z.object({
      task: words('What to build; leave it out to go on with the existing session.').optional(),
      mode: z.enum(['quick', 'deep']).optional().describe('quick: one agent writes it; deep: analysts and a critic work on it too.'),
      model_config: line('Which models play the roles.').optional(),
      reference: file('A text file of the project that holds its conventions.').optional(),
      agent: AGENT,
    }),
    kind: 'flow',
    readOnly: false,
    call: (input) => ({
      command: 'spec',
      rest: () => [
        ...options(input, { mode: '--mode', model_config: '--model-config', reference: '--reference', agent: '--agent' }),
        '--',
        ...texts(input, ['task']),
      ],
    }),
  }),
  row({
    name: 'harness_mission',
    title: 'Build a whole specification',
    description: 'Plans from a specification and works unattended until every claim is proved, or a person is needed.',
    input: z.object({
      spec: file('File with what to build; default: the running mission, else SPEC.md.').optional(),
      lanes: count('Features worked on at the same time.').optional(),
      max_iterations: count('Stop after this many decisions.').optional(),
    }),
    kind: 'flow',
    readOnly: false,
    call: (input) => ({
      command: 'mission run',
      rest: () => options(input, { spec: '--spec', lanes: '--lanes', max_iterations: '--max-iterations' }),
    }),
  }),
  row({
    name: 'harness_run',
    title: 'Work on the feature list',
    description: 'Runs an agent session on the next feature and judges its work; more with sessions or until_done.',
    input: z.object({
      sessions: count('Repeat for up to this many sessions.').optional(),
      until_done: z.boolean().optional().describe('Repeat until every feature is verified or a person is needed.'),
      lanes: count('Sessions under way at the same time.').optional(),
    }),
    kind: 'flow',
    readOnly: false,
    call: (input) => ({
      command: 'run',
      rest: () => [...options(input, { sessions: '--sessions', lanes: '--lanes' }), ...(input.until_done === true ? ['--until-done'] : [])],
    }),
  }),
  row({
    name: 'harness_worker',
    title: 'One task for a lead',
    description:
      'Has an agent do one task and checks its work. Takes a task document and gives one report, a request for advice, or a failure.',
    input: z.object({
      task: z.record(z.string(), z.unknown()).describe('The task document.'),
      review: z.record(z.string(), z.unknown()).optional().describe("The lead's review of the report."),
      advice: z.record(z.string(), z.unknown()).optional().describe("The advisor's answer to a request."),
    }),
    kind: 'task',
    readOnly: false,
    call: (input) => {
      const given = Object.entries(input).filter(([, document]) => document !== undefined);
      return {
        command: 'worker',
        rest: (folder) => given.map(([name]) => `--${name}=${folder}/${name}.json`),
        files: Object.fromEntries(given.map(([name, document]) => [`${name}.json`, JSON.stringify(document)])),
      };
    },
  }),
  row({
    name: 'harness_gates',
    title: 'Questions that wait',
    description: 'Lists the questions that wait. Those with person: true are answered only by a person at a terminal.',
    input: z.object({}),
    kind: 'look',
    readOnly: true,
    call: () => ({ command: 'gates', rest: () => [] }),
  }),
  row({
    name: 'harness_answer',
    title: 'Answer a preference',
    description:
      'Hands over what the user answered to a preference. A question with person: true is refused: tell the user where it is answered, and do not answer it yourself.',
    input: z.object({
      gate: line('Id of the question, as harness_gates shows it.'),
      option: line('Label of the option.').optional(),
      text: words("An answer in the user's own words, or a comment.").optional(),
    }),
    kind: 'look',
    readOnly: false,
    call: ({ gate, option = null, text = null }) => ({ command: 'answer', rest: () => answerWords(gate, { option, text }) }),
  }),
  row({
    name: 'harness_say',
    title: 'Say something to a session',
    description: 'Hands words to the agent that is at work, recorded as the words of this host. Use it only for what the user wants said.',
    input: z.object({ text: z.string().min(1).max(2_000), session: count('The session; default: the one under way.').optional() }),
    kind: 'look',
    readOnly: false,
    call: (input) => ({ command: 'say', rest: () => [...options(input, { session: '--session' }), '--', input.text] }),
  }),
  row({
    name: 'harness_verify',
    title: 'Look at a verdict, or run tests',
    description:
      'Shows an earlier verdict with its evidence, or runs the tests of a feature or of a revision in a clean room. Give exactly one.',
    input: z.object({
      verdict: line('Id of a verdict.').optional(),
      feature: count('Number of a feature.').optional(),
      tree: line('A revision.').optional(),
    }),
    kind: 'look',
    readOnly: true,
    call: (input) => ({ command: 'verify', rest: () => options(input, { verdict: '--verdict', feature: '--feature', tree: '--tree' }) }),
  }),
  row({
    name: 'harness_why',
    title: 'Why work was refused',
    description: 'Explains from the evidence why work was rejected or needs review.',
    input: z.object({ subject: SUBJECT.describe('Number of a session, or #7 or F-007 for a feature.') }),
    kind: 'look',
    readOnly: true,
    call: ({ subject }) => ({ command: 'why', rest: () => ['--', String(subject)] }),
  }),
  row({
    name: 'harness_session',
    title: 'What a session did',
    description: 'Shows what one session did, from the logs.',
    input: z.object({ session: count('Number of the session.') }),
    kind: 'look',
    readOnly: true,
    call: ({ session }) => ({ command: 'log session', rest: () => ['--', String(session)] }),
  }),
];
