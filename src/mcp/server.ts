/**
 * The harness as a server of the Model Context Protocol, over standard input and output.
 *
 * 1. It keeps nothing: every tool is a command, so that any number of servers may work on one project.
 * 2. Answers are bounded. What only a person may answer cannot be answered through it, whatever the host declares.
 * 3. Both generations of the protocol are served from one set of tools.
 */
import { HARNESS_VERSION } from '../domain/version.ts';
import { carryOut, look, type Desk, type Outcome } from './calls.ts';
import { ask } from './program.ts';
import { answerWords, formFor, givenAnswer } from './questions.ts';
import type * as SdkModule from './sdk.ts';
import { TOOLS, type ToolRow } from './tools.ts';

type Sdk = typeof SdkModule;
type McpServer = InstanceType<Sdk['McpServer']>;
type Context = Parameters<Parameters<McpServer['registerTool']>[2]>[1];

const INSTRUCTIONS =
  'The harness lets agents work and never takes their word for it: it runs the tests itself in a clean room. Call harness_status first. Questions with person: true are answered by the user at a terminal, never by you.';

/** Until the host closes the connection. */
export async function serve(desk: Omit<Desk, 'gone'>, input: NodeJS.ReadableStream, signal: AbortSignal): Promise<void> {
  const sdk = await import('./sdk.ts');
  const leaving = new AbortController();
  const over = new Promise<void>((resolve) => {
    const leave = (): void => (leaving.abort(), resolve());
    input.once('end', leave);
    input.once('close', leave);
    signal.addEventListener('abort', leave, { once: true });
  });
  const handle = sdk.serveStdio(() => serverFor(sdk, { ...desk, gone: leaving.signal }));
  await over;
  await handle.close();
}

function serverFor(sdk: Sdk, desk: Desk): McpServer {
  const info = { name: 'harness', title: 'Universal Agent Harness', version: HARNESS_VERSION };
  const server = new sdk.McpServer(info, {
    capabilities: { tools: {}, resources: {} },
    instructions: INSTRUCTIONS,
    // Every question of a long flow is a round.
    inputRequired: { maxRounds: 20, roundTimeoutMs: 60 * 60_000 },
  });
  for (const row of TOOLS)
    server.registerTool(
      row.name,
      {
        title: row.title,
        description: row.description,
        inputSchema: row.input,
        annotations: { title: row.title, readOnlyHint: row.readOnly, destructiveHint: false, openWorldHint: row.kind !== 'look' },
      },
      // The schema of the row has checked the input.
      (input: unknown, context: Context) => answerCall(sdk, { desk, server, row, input: input as Record<string, unknown>, context }),
    );
  addResources(sdk, server, desk);
  return server;
}

interface ToolCall {
  desk: Desk;
  server: McpServer;
  row: ToolRow;
  input: Record<string, unknown>;
  context: Context;
}

async function answerCall(sdk: Sdk, { desk, server, row, input, context }: ToolCall) {
  const { mcpReq } = context;
  if (row.kind === 'look') return resultOf(await look(desk, row, input, mcpReq.signal));
  const refused = await takeAnswers(desk, mcpReq.inputResponses ?? {});
  const outcome = await carryOut(desk, row, input, { signal: mcpReq.signal, report: reporter(context) });
  const notes = refused.length === 0 ? outcome : { ...outcome, sentence: [...refused, outcome.sentence].join(' ') };
  // Asked once: a question that the user left open stays open.
  const asks = outcome.asks.filter(({ id }) => mcpReq.inputResponses?.[id] === undefined);
  if (asks.length === 0 || refused.length > 0 || !canElicit(sdk, server, context)) return resultOf(notes);
  return sdk.inputRequired({
    inputRequests: Object.fromEntries(asks.map((question) => [question.id, sdk.inputRequired.elicit(formFor(question))])),
  });
}

/** What the user answered through the host; gives what was not taken, in words. */
async function takeAnswers(desk: Desk, responses: Readonly<Record<string, unknown>>): Promise<string[]> {
  const refused: string[] = [];
  for (const [id, response] of Object.entries(responses)) {
    const given = givenAnswer(response);
    if (given === null) continue;
    const { code, value, words } = await ask(desk, 'answer', answerWords(id, given));
    const failure = (value as { error?: { message?: string } } | null)?.error?.message ?? words;
    if (code !== 0) refused.push(`The answer to ${id} was not taken: ${failure}`);
  }
  return refused;
}

function canElicit(sdk: Sdk, server: McpServer, { mcpReq }: Context): boolean {
  const envelope = mcpReq.envelope as Record<string, { elicitation?: unknown } | undefined> | undefined;
  const declared = envelope?.[sdk.CLIENT_CAPABILITIES_META_KEY] ?? server.server.getClientCapabilities();
  return declared?.elicitation !== undefined;
}

function resultOf({ ok, sentence, value }: Outcome) {
  const texts = [sentence.slice(0, 4_000), ...(value === null ? [] : [bounded(value)])];
  return { content: texts.map((text) => ({ type: 'text' as const, text })), ...(ok ? {} : { isError: true }) };
}

function reporter({ mcpReq }: Context): (message: string) => void {
  const token = mcpReq._meta?.progressToken;
  let progress = 0;
  return (message) => {
    if (token === undefined || mcpReq.signal.aborted) return;
    const params = { progressToken: token, progress: (progress += 1), message: message.slice(0, 300) };
    void mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {});
  };
}

function addResources(sdk: Sdk, server: McpServer, desk: Desk): void {
  const read = async (uri: URL, command: string, rest: readonly string[]) => {
    const { value, code, words } = await ask(desk, command, rest);
    if (code !== 0 || value === null) throw new Error(words.slice(0, 2_000));
    return { contents: [{ uri: uri.href, mimeType: 'application/json', text: bounded(value) }] };
  };
  const json = (title: string, description: string) => ({ title, description, mimeType: 'application/json' });
  server.registerResource(
    'features',
    'harness://features',
    json('Features', 'The feature list with state, attempts, cost and commit.'),
    (uri) => read(uri, 'features', []),
  );
  const template = (pattern: string) => new sdk.ResourceTemplate(pattern, { list: undefined });
  server.registerResource('session', template('harness://session/{n}'), json('Session', 'What one session did.'), (uri, { n }) =>
    read(uri, 'log session', ['--', String(n)]),
  );
  server.registerResource('verdict', template('harness://verdict/{id}'), json('Verdict', 'A verdict with its evidence.'), (uri, { id }) =>
    read(uri, 'verify', [`--verdict=${String(id)}`]),
  );
}

/** A value that fits into an answer: long texts and lists are cut until it does, and each cut says so. */

/** Hosts warn from about 10,000 tokens on. */
export const LARGEST_ANSWER = 20_000;

const LEAST_LENGTH = 40;

export function bounded(value: unknown, limit = LARGEST_ANSWER): string {
  for (let [text, items] = [4_000, 200]; ; [text, items] = [Math.floor(text / 2), Math.max(1, Math.floor(items / 2))]) {
    const json = JSON.stringify(cut(value, Math.max(LEAST_LENGTH, text), items), null, 1);
    if (json.length <= limit) return json;
    if (text < LEAST_LENGTH && items === 1) return JSON.stringify({ cut: `${json.length} characters do not fit into one answer` });
  }
}

function cut(value: unknown, length: number, items: number): unknown {
  if (typeof value === 'string')
    return value.length <= length ? value : `${value.slice(0, length)} [... ${value.length - length} more characters]`;
  if (Array.isArray(value)) {
    const kept = value.slice(0, items).map((one) => cut(one, length, items));
    return value.length <= items ? kept : [...kept, `[... ${value.length - items} more]`];
  }
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  const kept = entries.slice(0, items * 4).map(([key, one]) => [key.slice(0, 200), cut(one, length, items)]);
  return Object.fromEntries(entries.length <= items * 4 ? kept : [...kept, ['...', `${entries.length - items * 4} more`]]);
}
