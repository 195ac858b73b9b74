/** What each event means and carries, for whoever reads `--json` or the logs. The compiler asks for every event and every field. */
import type { EventType, HarnessEvent } from '../../src/domain/event.ts';

type FieldsOf<Type extends EventType> = Exclude<keyof Extract<HarnessEvent, { type: Type }>, 'type'>;

/** An empty text stands for a field whose name says all. */
export const EVENT_REFERENCE: { readonly [Type in EventType]: { when: string; fields: Readonly<Record<FieldsOf<Type>, string>> } } = {
  'session.start': {
    when: 'an agent starts',
    fields: {
      session: 'number, counted over all flows',
      feature: 'number of the list, name in a mission, or null',
      prompt: 'what it is asked for, such as `coding` or `architect`',
      backend: '',
      model: '',
      workspace: 'where it works',
      lane: 'which lane, where it works beside others',
    },
  },
  'session.end': {
    when: 'a session is over and its work was judged or kept',
    fields: {
      session: '',
      feature: '',
      outcome: '[one of seven words](exit-codes.md)',
      reasons: 'codes, the most important first',
      duration_ms: '',
      cost_usd: 'null: unknown',
      usage: 'tokens',
      commit: 'what landed',
      verdict: 'id, for `harness verify --verdict`',
      message: 'why, in a sentence',
    },
  },
  'session.limit': {
    when: 'a limit comes near, is reached, or is waited for',
    fields: {
      session: '',
      kind: '`context`, `time`, `progress`, `budget`, `silence`, `usage`, `outage` or `hours`',
      level: '`info`, `warn` or `stop`',
      message: '',
      until: 'when the wait is over',
    },
  },
  'session.inject': {
    when: 'the harness says something to a working agent',
    fields: { session: '', text: '', delivered: 'false: the agent could not take it' },
  },
  'preflight.check': {
    when: 'one check before a session, or one proof of a mission, is over',
    fields: { name: '', state: '`passed`, `failed`, `skipped` or `warned`', detail: '', duration_ms: '' },
  },
  'agent.text': { when: 'an agent says something', fields: { session: '', text: '', aside: 'true: its thinking, not its answer' } },
  'agent.tool': { when: 'an agent uses a tool', fields: { session: '', name: '', input: '' } },
  'agent.result': { when: 'a tool has answered', fields: { session: '', name: '', ok: '', output: '' } },
  'agent.usage': {
    when: 'an agent reports tokens or money',
    fields: {
      session: '',
      usage: '',
      context_tokens: '',
      context_window: '',
      cost_usd: 'null: unknown',
      effort: 'the level that the agent says it thinks with',
    },
  },
  'agent.error': { when: 'an agent or its provider reports an error', fields: { session: '', message: '', class: 'what sort of error' } },
  'agent.action': { when: 'an action was read from a [mark](#marks) or a tool call', fields: { session: '', action: '' } },
  'agent.request': {
    when: 'one request to a model is over; only with `logging.level: debug`',
    fields: { session: '', latency_ms: '', input_tokens: '', output_tokens: '', context_tokens: '' },
  },
  'progress.check': {
    when: 'the watch looked for progress; only with `logging.level: debug`',
    fields: { session: '', context_tokens: '', files_changed: '' },
  },
  'checkpoint.created': {
    when: 'a point to return to was made',
    fields: { id: '', checkpoint_id: 'the same as `id`', session: '', reason: '', git_ref: '' },
  },
  'checkpoint.restored': { when: '`harness rollback` went back', fields: { id: '', saved_as: 'where the replaced work is kept' } },
  rollback_completed: {
    when: 'the same, with what it undid',
    fields: { checkpoint_id: '', rolled_back_commits: '', restored_to_session: '' },
  },
  migration_start: { when: 'state of an older version is brought up to date', fields: { from: 'schema version', to: '' } },
  migration_complete: { when: 'that is done', fields: { from: '', to: '' } },
  'workspace.prepared': { when: 'the agent’s copy is ready', fields: { path: '', files_changed: '', duration_ms: '' } },
  'workspace.captured': {
    when: 'what the agent left was taken',
    fields: { tree: 'git tree', ref: 'where it is kept', files_changed: '', duration_ms: '' },
  },
  'verify.start': { when: 'the harness begins to judge', fields: { session: '', feature: '', tree: '' } },
  'verify.check': {
    when: 'one check of a verdict is over',
    fields: { name: '', title: 'the name for people', state: '`passed`, `failed`, `skipped` or `warned`', detail: '', duration_ms: '' },
  },
  'verify.result': {
    when: 'the verdict is there',
    fields: {
      session: '',
      feature: '',
      verdict: 'id',
      decision: '`accepted`, `rejected` or `needs_human`',
      reasons: '',
      messages: 'the same in sentences',
    },
  },
  'commit.created': { when: 'judged work came onto the branch', fields: { session: '', feature: '', commit: '', branch: '' } },
  'wip.saved': { when: 'unfinished work was kept', fields: { session: '', feature: '', ref: '', tree: '', message: '' } },
  'gate.asked': {
    when: 'a person is asked',
    fields: { gate: 'the question with its options', left: 'true: it waits for `harness answer`' },
  },
  'gate.answered': { when: 'a question was answered', fields: { id: '', option: '', text: '', by: 'how the answer came' } },
  escalation: {
    when: 'nothing goes on without a person',
    fields: { trigger: '', question: 'the id it is answered by', message: '', options: '', file: 'the page with the facts' },
  },
  'budget.reached': {
    when: '80 or 100 % of a budget is spent',
    fields: { scope: '`session`, `feature` or `project`', percent: '', spent_usd: '', budget_usd: '', session: '', feature: '' },
  },
  'words.delivered': {
    when: 'what a person said with `harness say` has reached the agent',
    fields: {
      session: '',
      text: '',
      by: '`terminal`, `page` or `host`',
      asked_at: 'when it was said',
      how: '`injection`: with the result of a tool; `turn`: as its next turn; `session`: with its task',
    },
  },
  'agent.switched': {
    when: 'another agent goes on, because the one before is out of quota or login, its provider is down, or an earlier one is well again',
    fields: {
      session: 'the first that it flies',
      from: 'backend and model; model null: the one of the kind of session',
      to: '',
      why: 'in words',
      price: 'of the agent that goes on, in words',
      first: 'true: the first switch of this run',
    },
  },
  decision: { when: 'something was decided', fields: { session: '', text: '', by: '`agent`, `harness` or `user`' } },
  'state.recovered': { when: 'a trace of a process that died was put right', fields: { what: '', action: '' } },
  'quality.warning': {
    when: 'a file grows too fast or breaks a rule of quality',
    fields: { file: '', message: '', severity: '`warning` over a limit, `info` for fast growth' },
  },
  'run.preview': {
    when: 'the answer of `harness run --dry-run`',
    fields: {
      kind: '',
      first: 'what would be done before a session',
      asks: 'the question before the session: `id`, `question`, `options`, `feature`; null where none is asked',
      ends: 'why none would start',
      session: '',
      prompt: '',
      feature: '',
      backend: '',
      model: '',
      orientation: 'the text that the agent would read first',
      orientation_tokens: '',
      budget: '',
    },
  },
  'mission.preview': {
    when: 'the answer of `harness mission run --dry-run`',
    fields: { stage: '', iteration: '', step: '', decision: '', role: '', model: '', backend: '', budget: '' },
  },
  'run.summary': {
    when: 'a repeated run, a mission or a workflow is over',
    fields: { summary: 'the same object as `harness summary --json`' },
  },
  'flow.phase': {
    when: 'a workflow, a spec or a mission goes on to another phase',
    fields: {
      flow: '',
      phase: '',
      label: 'the phase in the user’s language',
      language: 'the tag of that language',
      round: '`number` and `of`',
      retry: 'which try it is after a failed check',
    },
  },
  'flow.step': {
    when: 'a step of a workflow is over',
    fields: {
      flow: '',
      task: '',
      step: '`begin`, `plan`, `generate`, `verify`, `evaluate` or `land`',
      round: '',
      result: '`done` or `failed`',
      note: 'why it failed',
      commit: 'what landed',
    },
  },
  progress: { when: 'a sentence for the person who watches', fields: { message: '' } },
  warning: { when: 'something a person should know', fields: { message: '', code: '`cost.unknown`, where it is about that' } },
  end: {
    when: 'the last line of every long command',
    fields: { outcome: '', reasons: '', exit_code: '', session: '', feature: '', commit: '', message: '' },
  },
};
