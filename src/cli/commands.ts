/**
 * The table of commands. It is one thing on purpose: help, parsing and the docs all read it.
 * Nothing but `load` reaches a command's code, so that starting one never pays for the others.
 */
import { BACKEND_NAMES } from '../agents/registry.ts';
import type { ArgumentRow, CommandRow, OptionRow } from './command.ts';

const FEATURE = number('--feature <N>', 'number of the feature', { required: true });

const AGENT = text('--agent <BACKEND>', 'agent backend instead of the configured one; needs no .harness.yaml', { choices: BACKEND_NAMES });
const AGENT_COMMAND = text('--agent-command <CMD>', 'what the command and acp backends start');

const DATABASE = text(
  '--database <URL>',
  'address of the fleet\'s database, "-" reads it from stdin; default: HARNESS_FLEET_URL or your settings',
);
const PROJECT = text('--project <NAME>', 'name of the project in the fleet', { required: true });
const IN_FLEET = text('--project <NAME>', 'a project of the fleet instead of this directory');
const HOST = [text('--host <HOST>', 'one host alone; default: those that are installed', { choices: ['claude', 'codex'] })];

export const COMMANDS: readonly CommandRow[] = [
  stream('demo', 'watch the whole process on a bundled example with the embedded agent: no key, no network', {
    stateless: true,
    load: () => import('./commands/demo.ts'),
  }),
  stream('init', 'set a project up: from a written spec through an agent, or from a feature list of your own', {
    options: [
      text('--spec <FILE>', 'the document an agent turns into features, scripts and test stubs'),
      text('--features <FILE>', 'adopt this repository with an existing feature list; no agent runs'),
      text('--agent <BACKEND>', 'agent backend for a new .harness.yaml', { choices: BACKEND_NAMES }),
      AGENT_COMMAND,
      text('--lock <WHERE>', 'commit: put the lockfile made for a project without one into the set-up commit', { choices: ['commit'] }),
    ],
    canAsk: true,
    startsProject: true,
    load: () => import('./commands/init.ts'),
  }),
  stream('run', 'run one agent session on the next feature and judge its work', {
    options: [
      number('--sessions <N>', 'repeat for up to N sessions'),
      flag('--until-done', 'repeat until every feature is verified or a person is needed'),
      text('--until <HH:MM>', 'end by this time of day: begin no session that could not end in time'),
      number('--lanes <N>', 'how many sessions may be under way at the same time; alone: N sessions'),
      flag('--maintain', 'watch the project for regressions until harness stop; with --until-done once everything is done'),
      flag('--dry-run', 'show what the next session would be and change nothing'),
      flag('--no-cache', 'do not reuse earlier test runs'),
    ],
    canAsk: true,
    load: () => import('./commands/run.ts'),
  }),
  look('status', 'show where the project stands', { options: [IN_FLEET], load: () => import('./commands/status.ts') }),
  look('features', 'list the features with state, attempts, cost and the commit that proved each', {
    load: () => import('./commands/features.ts'),
  }),
  look('tests', 'list accepted test files with the versions in which they were accepted', {
    options: [
      number('--feature <N>', 'only tests of this feature'),
      flag('--hidden', 'show hidden tests with their code; at a terminal only'),
      number('--adopt <N>', 'write hidden test N into the working tree and stop running it as a hidden one; at a terminal only'),
    ],
    load: () => import('./commands/tests.ts'),
  }),
  look('summary', 'summarise the sessions: what was verified, refused or waits; time, money and what to do next', {
    options: [text('--since <TIME>', 'only sessions that began since then: 12h, 2d or a time')],
    load: () => import('./commands/summary.ts'),
  }),
  look('why', 'explain from the evidence why work was rejected or needs review', {
    arguments: [argument('<N>', 'a session; F-7 or "#7" for a feature')],
    options: [IN_FLEET],
    load: () => import('./commands/why.ts'),
  }),
  look('ui', 'open a local page that shows runs, questions, sessions and costs of all projects', {
    arguments: [argument('[FILE]', 'a report file to look at instead')],
    options: [
      number('--port <N>', 'port on 127.0.0.1; default: 4747 or the next free one; 0: any', { least: 0 }),
      flag('--no-open', 'do not open a browser'),
      flag('--readonly', 'show everything, change nothing'),
      flag('--new-token', 'make a new access token; open pages and old links end'),
    ],
    stateless: true,
    load: () => import('./commands/ui.ts'),
  }),
  look('report', 'write what happened into one HTML file that opens anywhere', {
    options: [
      text('--html <FILE>', 'the file to write', { required: true }),
      number('--session <N>', 'only this session'),
      text('--since <TIME>', 'only sessions that began since then: 12h, 2d or a time'),
    ],
    load: () => import('./commands/report.ts'),
  }),
  look('show', 'show the whole story of a session: what was asked, done, judged and changed', {
    arguments: [argument('[SUBJECT]', 'a session; F-7 or "#7" for a feature; a commit; default: the last session')],
    load: () => import('./commands/show.ts'),
  }),
  look('diff', 'show what a session changed, whether it landed or not', {
    arguments: [argument('<N>', 'a session; F-7 or "#7" for a feature')],
    exact: true,
    load: () => import('./commands/diff.ts'),
  }),
  look('health', "run suite and linter, and show the project's health metric with each part of it", {
    options: [flag('--cached', 'run nothing: show what is known')],
    load: () => import('./commands/health.ts'),
  }),
  look('verify', 'judge a feature, a tree or an earlier verdict again', {
    options: [
      number('--feature <N>', "run this feature's test on the current commit"),
      text('--verdict <ID>', 'show an earlier verdict with its evidence'),
      text('--tree <REV>', 'run the checks on this revision'),
      flag('--no-cache', 'do not reuse earlier test runs'),
    ],
    load: () => import('./commands/verify.ts'),
  }),
  look('judge', 'judge a change as it is: no feature list, nothing moved', {
    options: [
      text('--base <REV>', 'what to compare with; default: the base of the pull request, origin/HEAD, main or master'),
      text('--head <REV>', 'the commit to judge; default: the working tree'),
      text('--test <GLOB>', 'files of the change that are its tests; default: new and changed test files'),
      text('--describe <FILE>', 'what the change is meant to do, in words; - for standard input'),
      number('--within <SECONDS>', 'stop without a verdict after this time (exit 6)'),
      flag('--accept-review', 'exit 0 where a person has to review'),
      flag('--markdown', 'print the verdict as Markdown'),
      text('--junit <FILE>', 'also write the verdict as JUnit XML'),
    ],
    stateless: true,
    load: () => import('./commands/judge.ts'),
  }),
  look('version', 'show the version of the harness and of the state in this project', { load: () => import('./commands/version.ts') }),
  look('migrate', 'bring state written by an older version up to date', {
    options: [flag('--no-backup', 'keep no copy of the old state')],
    load: () => import('./commands/migrate.ts'),
  }),
  look('checkpoints', 'list the points the project can return to', { load: () => import('./commands/checkpoints.ts') }),
  look('rollback', 'preview a return to a checkpoint, then restore files, state and baseline', {
    arguments: [argument('<ID>', 'checkpoint, as harness checkpoints lists it')],
    canAsk: true,
    load: () => import('./commands/rollback.ts'),
  }),
  look('pause', 'stop after the current operation and keep the state', { options: [IN_FLEET], load: () => import('./commands/pause.ts') }),
  look('say', 'say something to an agent at work; it hears it at its next safe boundary', {
    arguments: [argument('[TEXT]', 'what it should know, up to 2,000 characters')],
    options: [
      text('--lane <L>', 'the lane it works in, where several do'),
      number('--session <N>', 'the session'),
      flag('--stop-after', 'end the session at its next safe boundary and keep its work'),
      IN_FLEET,
    ],
    load: () => import('./commands/say.ts'),
  }),
  look('resume', 'undo a pause', { options: [IN_FLEET], load: () => import('./commands/resume.ts') }),
  look('skip', 'set a feature aside', {
    options: [
      FEATURE,
      text('--reason <TEXT>', 'why it is set aside'),
      flag('--unblock', 'work on what depends on it anyway'),
      flag('--undo', 'bring it back'),
      IN_FLEET,
    ],
    load: () => import('./commands/skip.ts'),
  }),
  look('override', 'record a feature as passing or not, without proof', {
    options: [FEATURE, text('--passes <BOOLEAN>', 'what to record', { required: true, choices: ['true', 'false'] })],
    canAsk: true,
    load: () => import('./commands/override.ts'),
  }),
  look('manual-verify', 'record what a person saw for a feature that tests alone cannot prove', {
    options: [FEATURE],
    canAsk: true,
    load: () => import('./commands/manual-verify.ts'),
  }),
  look('handoff', 'stop the harness so that a person can work here', { load: () => import('./commands/handoff.ts') }),
  look('takeback', 'look at what a person changed, judge it and go on', { canAsk: true, load: () => import('./commands/takeback.ts') }),
  stream('cleanup', 'run a cleanup session: no new features, nothing may break', {
    canAsk: true,
    load: () => import('./commands/cleanup.ts'),
  }),
  look('add-feature', 'add a feature to the list', {
    arguments: [argument('<TEXT>', 'what a user can do, in one sentence')],
    options: [
      list('--test-file <PATH>', 'the test that will prove it; may be repeated'),
      text('--category <WORD>', 'any word to group features by'),
      number('--priority <N>', 'lower comes first'),
    ],
    load: () => import('./commands/add-feature.ts'),
  }),
  look('abort', 'end all work here and clear the state; commits stay', { canAsk: true, load: () => import('./commands/abort.ts') }),
  look('stop', 'end a running harness process of this project', { options: [IN_FLEET], load: () => import('./commands/stop.ts') }),
  look('log query', 'find events by an expression such as "type=session.end and feature=12"', {
    arguments: [argument('<EXPR>', 'fields with = != ~ > < >= <=, joined by and, or, not and parentheses; since=2h')],
    options: [
      text('--in <LOG>', 'which log to read', { choices: ['events', 'decisions', 'actions', 'sessions'] }),
      number('--limit <N>', 'show the last N matches only'),
      IN_FLEET,
    ],
    load: () => import('./commands/log-query.ts'),
  }),
  look('log tail', 'show the last events; harness log alone does the same', {
    standsForGroup: true,
    options: [
      number('--lines <N>', 'how many (20)'),
      text('--in <LOG>', 'which log to read', { choices: ['events', 'decisions', 'actions', 'sessions'] }),
      flag('--follow', 'keep showing new ones until interrupted; with --json one object per line'),
      IN_FLEET,
    ],
    load: () => import('./commands/log-tail.ts'),
  }),
  look('log session', 'show what one session did', {
    arguments: [argument('<N>', 'number of the session')],
    options: [IN_FLEET],
    load: () => import('./commands/log-session.ts'),
  }),
  stream('spec', 'turn a task into a spec by asking what is missing', {
    arguments: [argument('[TASK]', 'what to build; leave it out to continue the existing session')],
    options: [
      text('--mode <MODE>', 'quick: one agent writes it; deep: analysts and a critic work on it too', { choices: ['quick', 'deep'] }),
      text('--model-config <NAME>', 'which models play the roles: a preset, or executor:<model>,advisor:<model>'),
      text('--reference <PATH>', 'a text file of the project that holds its conventions'),
      AGENT,
      AGENT_COMMAND,
    ],
    canAsk: true,
    load: () => import('./commands/spec.ts'),
  }),
  stream('workflow', 'plan, generate, verify and evaluate one task; or one of these steps alone', {
    arguments: [
      argument('[STEP]', 'plan, generate, verify or evaluate; leave it out to run all four in order'),
      argument('[TASK]', 'what to do'),
    ],
    options: [
      text('--mode <MODE>', 'how many agents plan it', { choices: ['single', 'standard', 'multi'] }),
      text('--model-config <NAME>', 'which models play the roles'),
      text('--lint-cmd <CMD>', 'lint command instead of the detected one'),
      text('--type-check-cmd <CMD>', 'type check command instead of the detected one'),
      text('--verifier-model <MODEL>', 'model that summarises a failed check'),
      text('--output-dir <DIR>', 'where the documents go'),
      text('--scope <GLOB>', 'files that may change'),
      number('--max-files <N>', 'how many files may change'),
      AGENT,
      AGENT_COMMAND,
    ],
    canAsk: true,
    load: () => import('./commands/workflow.ts'),
  }),
  stream('mission run', 'plan from a specification, then work unattended until every claim is proved', {
    options: [
      text('--spec <FILE>', 'what to build; default: the specification of the running mission, else SPEC.md'),
      number('--lanes <N>', 'features worked on at the same time'),
      number('--max-iterations <N>', 'stop after this many decisions'),
      flag('--dry-run', 'show the next decision, the role that acts on it and the remaining budget; change nothing'),
    ],
    canAsk: true,
    load: () => import('./commands/mission-run.ts'),
  }),
  look('mission status', 'show the queue, what each lane does and what waits', {
    load: () => import('./commands/mission-status.ts'),
  }),
  look('mission grant', 'let a mission pass a checkpoint', {
    arguments: [argument('<NAME>', 'the checkpoint that it waits for')],
    load: () => import('./commands/mission-grant.ts'),
  }),
  look('worker', 'do one task for a lead: an agent does the work, the harness checks it, one JSON report is printed', {
    options: [
      text('--task <FILE>', 'the task document; "-" reads it from stdin', { required: true }),
      text('--review <FILE>', "the lead's review of the report: APPROVE or REQUEST_CHANGES"),
      text('--advice <FILE>', "the advisor's answer to a request"),
      AGENT,
      AGENT_COMMAND,
    ],
    answersInJson: true,
    load: () => import('./commands/worker.ts'),
  }),
  look('fleet up', 'set up the database of a fleet, once', {
    options: [DATABASE],
    stateless: true,
    load: () => import('./commands/fleet-up.ts'),
  }),
  look('fleet add', 'put this project into the fleet', {
    options: [
      PROJECT,
      text('--remote <URL>', 'the bare repository that every machine can reach', { required: true }),
      text('--account <NAME>', 'the account whose usage limits its sessions share; default: default'),
      list('--needs <LABEL>', 'only machines with this label work on it; may be repeated'),
      DATABASE,
    ],
    load: () => import('./commands/fleet-add.ts'),
  }),
  stream('fleet run', 'send a project to the machines of the fleet', {
    options: [
      PROJECT,
      flag('--until-done', 'go on until every feature is verified or a person is needed'),
      flag('--mission', 'work on its mission, as harness mission run does'),
      text('--spec <FILE>', 'specification of the mission, in its repository'),
      number('--lanes <N>', 'how many sessions may be under way at the same time'),
      flag('--wait', 'follow it until it rests'),
      DATABASE,
    ],
    stateless: true,
    load: () => import('./commands/fleet-run.ts'),
  }),
  stream('fleet worker', 'work for the fleet on this machine until interrupted', {
    options: [
      number('--slots <N>', 'how many projects may be worked on at the same time (1)'),
      text('--name <NAME>', 'name of this machine in the fleet; default: its host name'),
      list('--label <LABEL>', 'something that this machine has and projects may need; may be repeated'),
      DATABASE,
    ],
    stateless: true,
    load: () => import('./commands/fleet-worker.ts'),
  }),
  look('fleet status', 'show the machines and projects of the fleet', {
    options: [DATABASE],
    stateless: true,
    load: () => import('./commands/fleet-status.ts'),
  }),
  look('fleet purse', 'limit what the projects of an account may spend together', {
    options: [
      text('--account <NAME>', 'the account; default: default'),
      text('--usd <N>', 'dollars for all its projects together; none: no limit'),
      text('--sessions <N>', 'sessions of unknown cost; none: no limit'),
      text('--at-once <N>', 'sessions at the same time; none: no limit'),
      DATABASE,
    ],
    stateless: true,
    load: () => import('./commands/fleet-purse.ts'),
  }),
  look('fleet remove', 'take a project out of the fleet, back to files in this checkout', {
    options: [PROJECT, DATABASE],
    load: () => import('./commands/fleet-remove.ts'),
  }),
  look('sync', 'bring the GitHub issues up to date with the feature list', {
    options: [
      flag('--dry-run', 'show what would be done and change nothing'),
      flag('--follow', 'repair what checks and reviewers find in the pull requests it made, until they are merged or closed'),
    ],
    canAsk: true,
    streamsWith: 'follow',
    load: () => import('./commands/sync.ts'),
  }),
  look('gates', 'list the questions that wait for a person', { options: [IN_FLEET], load: () => import('./commands/gates.ts') }),
  look('answer', 'answer a question that waits', {
    arguments: [
      argument('<GATE>', 'id, as harness gates shows it'),
      argument('[OPTION]', 'label or number of an option; not needed with --text'),
    ],
    options: [text('--text <TEXT>', 'an answer in your own words, or a comment on the option'), IN_FLEET],
    canAsk: true,
    load: () => import('./commands/answer.ts'),
  }),
  look('plugin install', 'install the plugin for Claude Code and Codex: skills, an agent and the MCP server', {
    options: [
      ...HOST,
      flag('--stop-hook', 'also judge the work of every session before it ends'),
      flag('--print', 'show what would be done and change nothing'),
    ],
    stateless: true,
    load: () => import('./commands/plugin-install.ts'),
  }),
  look('plugin uninstall', 'remove the plugin, its marketplace and the Stop hook', {
    options: [...HOST, flag('--print', 'show what would be done and change nothing')],
    stateless: true,
    load: () => import('./commands/plugin-uninstall.ts'),
  }),
  look('hook install', 'judge what is pushed before git pushes it: a pre-push hook for this repository', {
    stateless: true,
    load: () => import('./commands/hook-install.ts'),
  }),
  look('hook uninstall', 'remove the pre-push hook', { stateless: true, load: () => import('./commands/hook-uninstall.ts') }),
  look('hook stop', 'answer the Stop hook of a host: JSON in, JSON out', {
    options: [
      number('--within <SECONDS>', 'let the session end without a verdict after this time (240)'),
      number('--blocks <N>', 'block at most N stops in a row (3)'),
    ],
    answersInJson: true,
    stateless: true,
    load: () => import('./commands/hook-stop.ts'),
  }),
  look('completion', 'print the completion script for a shell', {
    arguments: [argument('<SHELL>', 'bash, zsh or fish')],
    options: [list('--word <WORD>', 'print what can stand after these words instead; the script calls it')],
    exact: true,
    stateless: true,
    load: () => import('./commands/completion.ts'),
  }),
  look('mcp', 'serve this project to Claude Code, Codex and other hosts (Model Context Protocol)', {
    stateless: true,
    load: () => import('./commands/mcp.ts'),
  }),
  look('doctor', 'check this machine and say how to get what is missing', {
    options: [
      flag('--verify', 'also prove that verification works here'),
      {
        flags: '--fix <WHAT>',
        description:
          'browser: give agents a browser, by an MCP server in .harness.yaml; telemetry, fleet: install the packages that it needs',
        kind: 'text',
      },
    ],
    stateless: true,
    load: () => import('./commands/doctor.ts'),
  }),
  look('agents', 'list the agent backends and whether each can start here', {
    stateless: true,
    load: () => import('./commands/agents.ts'),
  }),
];

type RowDetails = Partial<Omit<CommandRow, 'name' | 'summary' | 'output'>> & Pick<CommandRow, 'load'>;

function stream(name: string, summary: string, details: RowDetails): CommandRow {
  return { name, summary, arguments: [], options: [], canAsk: false, ...details, output: 'stream' };
}

function look(name: string, summary: string, details: RowDetails): CommandRow {
  return { name, summary, arguments: [], options: [], canAsk: false, ...details, output: 'object' };
}

function argument(name: string, description: string): ArgumentRow {
  return { name, description };
}

type OptionDetails = Pick<OptionRow, 'choices' | 'least' | 'required'>;

function flag(flags: string, description: string): OptionRow {
  return { flags, description, kind: 'flag' };
}

function text(flags: string, description: string, details: OptionDetails = {}): OptionRow {
  return { flags, description, kind: 'text', ...details };
}

function list(flags: string, description: string): OptionRow {
  return { flags, description, kind: 'list' };
}

function number(flags: string, description: string, details: OptionDetails = {}): OptionRow {
  return { flags, description, kind: 'number', ...details };
}
