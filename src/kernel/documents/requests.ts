/**
 * What other processes ask of the one that holds a place: each a document of its own, taken up between steps.
 *
 * 1. Anybody may ask, also while a run is under way: nobody is turned away for that.
 * 2. The holder takes requests in the order in which they came. One is gone once it was taken; a crash before that leaves it for the next.
 * 3. To ask for the same twice is to ask once where nothing is said with it (`pause`, `stop`).
 * 4. A file that is no request is left alone.
 * 5. A request is sealed: one that came with the project, or from another machine, is not taken up and is set aside by the next holder. Only
 *    `stop` needs no seal: it decides nothing, and an earlier one is dropped before the work begins.
 */
import { z } from '../../domain/zod.ts';
import { SPEAKERS } from '../../domain/speaker.ts';
import { HARNESS_VERSION } from '../../domain/version.ts';
import { isoNow, type Platform } from '../../platform/platform.ts';
import type { Shelf } from '../../store/shelf.ts';

const WishSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('pause') }),
  z.object({ kind: z.literal('stop') }),
  z.object({
    kind: z.literal('skip'),
    feature: z.number().int(),
    reason: z.string().nullable(),
    undo: z.boolean(),
    unblock: z.boolean().optional(),
  }),
  z.object({ kind: z.literal('override'), feature: z.number().int(), passes: z.boolean() }),
  z.object({ kind: z.literal('grant'), name: z.string() }),
  z.object({
    kind: z.literal('add-feature'),
    description: z.string(),
    testFiles: z.array(z.string()),
    category: z.string().nullable(),
    priority: z.number().nullable(),
  }),
  /** Words for an agent: heard by sessions (`kernel/say`), never taken up by a flow. */
  z.object({
    kind: z.literal('say'),
    text: z.string(),
    /** The session that was under way, and its feature; null: the next one. */
    to: z.object({ session: z.number().int().nullable(), feature: z.number().int().nullable() }),
    /** The session ends at its next safe boundary. */
    stop_after: z.boolean(),
    by: z.enum(SPEAKERS),
  }),
]);
/** What is asked for. */
export type Wish = z.infer<typeof WishSchema>;
export type WishKind = Wish['kind'];

export interface Request {
  id: string;
  asked_at: string;
  wish: Wish;
}

const RequestSchema = z.object({
  schema_version: z.literal(1),
  harness_version: z.string(),
  asked_at: z.string(),
  wish: WishSchema,
  seal: z.string().optional(),
});

export interface Requests {
  ask(wish: Wish): Promise<void>;
  /** Those that wait, oldest first, `pause` and `stop` last; of one kind, or all. */
  waiting(kind?: WishKind): Promise<Request[]>;
  /** Cheap enough to be asked all the time. */
  has(kind: 'pause' | 'stop'): Promise<boolean>;
  /** It was taken up, or taken back. */
  drop(request: Pick<Request, 'id'> | WishKind): Promise<void>;
  /** Moves those that do not fit their seals out of the way; gives where they are now. */
  setForeignAside(): Promise<string[]>;
}

export function openRequests(platform: Pick<Platform, 'clock' | 'random'>, shelf: Shelf): Requests {
  const waiting = async (kind?: WishKind): Promise<Request[]> => {
    const found: Request[] = [];
    for (const id of await shelf.list()) {
      const request = await read(shelf, id);
      if (request !== null && request !== 'foreign' && (kind === undefined || request.wish.kind === kind)) found.push(request);
    }
    return found;
  };
  return {
    ask: async (wish) => {
      const asked_at = isoNow(platform.clock);
      const plain = wish.kind === 'pause' || wish.kind === 'stop';
      const id = plain ? plainName(wish.kind) : `${await nextNumber(shelf)}-${wish.kind}-${platform.random.id(4)}.json`;
      const seal = await shelf.seal.of('request', id, asked_at, wish);
      const document = { schema_version: 1, harness_version: HARNESS_VERSION, asked_at, wish, seal };
      await shelf.write(id, `${JSON.stringify(document, null, 2)}\n`);
    },
    waiting,
    has: async (kind) => {
      if (!(await shelf.has(plainName(kind)))) return false;
      const request = await read(shelf, plainName(kind));
      return request !== null && request !== 'foreign' && request.wish.kind === kind;
    },
    drop: async (request) => {
      const gone = typeof request === 'string' ? await waiting(request) : [request];
      for (const { id } of gone) await shelf.remove(id);
    },
    setForeignAside: async () => {
      const aside: string[] = [];
      for (const id of await shelf.list()) if ((await read(shelf, id)) === 'foreign') aside.push(await shelf.setAside(id, 'foreign'));
      return aside;
    },
  };
}

/** Above those that wait; names are listed in their order. Two that ask at the same moment may share one. */
async function nextNumber(shelf: Shelf): Promise<string> {
  const numbers = (await shelf.list()).map((name) => Number.parseInt(name, 10)).filter((number) => !Number.isNaN(number));
  return String(Math.max(0, ...numbers) + 1).padStart(6, '0');
}

function plainName(kind: WishKind): string {
  return `${kind}.json`;
}

async function read(shelf: Shelf, id: string): Promise<Request | 'foreign' | null> {
  const parsed = RequestSchema.safeParse(parsedJson(await shelf.read(id)));
  if (!parsed.success) return null;
  const { asked_at, wish, seal } = parsed.data;
  const fits = wish.kind === 'stop' || (await shelf.seal.fits(seal, 'request', id, asked_at, wish));
  return fits ? { id, asked_at, wish } : 'foreign';
}

function parsedJson(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    return null;
  }
}
