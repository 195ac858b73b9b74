/** What GitHub says of pull requests after they were made: checks, comments, and who may write. */
import { z } from '../domain/zod.ts';
import type { Check, FollowHub, Remark } from './contract.ts';
import { createAsk, createPullHub, Missing, PAGE, pages, PullSchema, type Ask, type HubOptions } from './octokit-hub.ts';

const HeadSchema = z.object({
  head: z.object({ ref: z.string(), sha: z.string(), repo: z.object({ full_name: z.string() }).nullable().optional() }),
});

const RunSchema = z.object({
  id: z.number().int(),
  name: z.string(),
  status: z.string(),
  conclusion: z.string().nullable().optional(),
  output: z.object({ title: z.string().nullable().optional(), summary: z.string().nullable().optional() }).nullable().optional(),
});

const StatusSchema = z.object({ context: z.string(), state: z.string(), description: z.string().nullable().optional() });

const RemarkSchema = z.object({
  id: z.number().int(),
  user: z.object({ login: z.string() }).nullable().optional(),
  body: z.string().nullable().optional(),
  path: z.string().optional(),
  line: z.number().int().nullable().optional(),
});

/** Conclusions that a change can put right; a cancelled or skipped run says nothing about the work. */
const FAILED: ReadonlySet<string> = new Set(['failure', 'timed_out', 'error']);

export function createFollowHub(options: HubOptions): FollowHub {
  const ask = createAsk(options);
  return {
    ...createPullHub(options, ask),
    openPulls: async () => {
      const rows = await all(ask, 'GET /repos/{owner}/{repo}/pulls', { state: 'open' });
      return rows.flatMap((row) => {
        const { head } = HeadSchema.parse(row);
        const isOwn = head.repo?.full_name.toLowerCase() === options.repository.toLowerCase();
        return isOwn ? [{ ...PullSchema.parse(row), branch: head.ref, commit: head.sha }] : [];
      });
    },
    checks: async (ref) => [...(await checkRuns(ask, ref)), ...(await statuses(ask, ref))],
    remarks: async (number) => {
      const kinds = [
        ['line', 'GET /repos/{owner}/{repo}/pulls/{number}/comments'],
        ['review', 'GET /repos/{owner}/{repo}/pulls/{number}/reviews'],
        ['talk', 'GET /repos/{owner}/{repo}/issues/{number}/comments'],
      ] as const;
      const found = new Map<string, Remark>();
      for (const [kind, route] of kinds)
        for (const row of await all(ask, route, { number })) {
          const remark = remarkOf(kind, row);
          if (remark.body.trim() !== '') found.set(remark.id, remark);
        }
      return [...found.values()];
    },
    mayWrite: async (username) => {
      try {
        const data = await ask('GET /repos/{owner}/{repo}/collaborators/{username}/permission', { username });
        return ['admin', 'maintain', 'write'].includes(z.object({ permission: z.string() }).parse(data).permission);
      } catch (error) {
        if (error instanceof Missing) return false;
        throw error;
      }
    },
    reply: async (number, body) =>
      void (await ask('POST /repos/{owner}/{repo}/issues/{number}/comments', { number, body, request: { retries: 0 } })),
  };
}

async function all(ask: Ask, route: string, parameters: Record<string, unknown>): Promise<unknown[]> {
  return await pages((page) => ask(route, { ...parameters, per_page: PAGE, page }));
}

/** Of several runs with one name, the last to start counts, in whatever order they are reported. */
async function checkRuns(ask: Ask, ref: string): Promise<Check[]> {
  const rows = await pages(async (page) => {
    const data = await ask('GET /repos/{owner}/{repo}/commits/{ref}/check-runs', { ref, filter: 'latest', per_page: PAGE, page });
    return z.object({ check_runs: z.array(z.unknown()) }).parse(data).check_runs;
  });
  const latest = new Map<string, z.infer<typeof RunSchema>>();
  for (const row of rows) {
    const run = RunSchema.parse(row);
    if ((latest.get(run.name)?.id ?? 0) < run.id) latest.set(run.name, run);
  }
  return [...latest.values()].map(({ name, status, conclusion, output }) => ({
    name,
    state: status !== 'completed' ? 'pending' : FAILED.has(conclusion ?? '') ? 'failed' : 'passed',
    text: [output?.title ?? '', output?.summary ?? ''].filter((part) => part !== '').join('\n'),
  }));
}

/** What services report that know no check runs. */
async function statuses(ask: Ask, ref: string): Promise<Check[]> {
  const data = await ask('GET /repos/{owner}/{repo}/commits/{ref}/status', { ref, per_page: PAGE });
  return z
    .object({ statuses: z.array(StatusSchema) })
    .parse(data)
    .statuses.map(({ context, state, description }) => ({
      name: context,
      state: state === 'pending' ? 'pending' : FAILED.has(state) ? 'failed' : 'passed',
      text: description ?? '',
    }));
}

function remarkOf(kind: string, row: unknown): Remark {
  const { id, user, body, path, line } = RemarkSchema.parse(row);
  const at = path === undefined ? null : `${path}${line === null || line === undefined ? '' : `:${line}`}`;
  return { id: `${kind}-${id}`, author: user?.login ?? '', body: body ?? '', at };
}
