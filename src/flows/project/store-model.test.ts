/**
 * Random sequences of commands over the project machine and its state document on a real disk, some of them cut off at the write,
 * against a model of a few sets. HARNESS_MODEL_RUNS sets how many; each begins with a new directory.
 */
import fc from 'fast-check';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { ConfigSchema } from '../../config/schema.ts';
import { isLong } from '../../domain/test-support-long.ts';
import { platformWithHome } from '../../store/test-support.ts';
import type { Platform } from '../../platform/platform.ts';
import { sweepTemporaries } from '../../store/sweep.ts';
import type { ProjectEvent } from './machine/document.ts';
import type { Project } from './project.ts';
import { openDocuments } from '../../kernel/documents/documents.ts';
import { isoNow } from '../../platform/platform.ts';
import { folderStore } from '../../store/folder-store.ts';
import { readState, step } from './state-files.ts';

const RUNS = Number(process.env['HARNESS_MODEL_RUNS'] ?? (isLong ? 300 : 100));
const scratch = mkdtempSync(join(tmpdir(), 'harness-model-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** What a person would expect to be true after the commands so far. */
interface Model {
  skipped: Set<number>;
  overridden: Map<number, boolean>;
  paused: boolean;
  handedOff: boolean;
  last: number;
}

type Move = {
  kind: 'skip' | 'unskip' | 'override' | 'pause' | 'resume' | 'handoff' | 'rollback';
  feature: number;
  yes: boolean;
  cut: 'no' | 'before' | 'after';
};

const moves = fc.array(
  fc.record<Move>({
    kind: fc.constantFrom('skip', 'unskip', 'override', 'pause', 'resume', 'handoff', 'rollback'),
    feature: fc.integer({ min: 1, max: 4 }),
    yes: fc.boolean(),
    cut: fc.constantFrom('no', 'no', 'no', 'before', 'after'),
  }),
  { minLength: 1, maxLength: 12 },
);

test('the document says what the commands did, wherever one of them was cut off', async () => {
  const real = platformWithHome();
  await fc.assert(
    fc.asyncProperty(moves, async (sequence) => {
      const stateDir = mkdtempSync(join(scratch, 'state-'));
      const model: Model = { skipped: new Set(), overridden: new Map(), paused: false, handedOff: false, last: 0 };
      const begun = projectAt(real, stateDir);
      await begun.documents.write('state', await readState(begun, { writer: true }));
      for (const move of sequence) {
        const project = projectAt(cutting(real, move.cut), stateDir);
        await step(project, await readState(project, { writer: true }), eventOf(move)).catch((error: unknown) =>
          expect(String(error)).toContain('cut off'),
        );
        if (move.cut !== 'before') apply(model, move);
        await sweepTemporaries(real, stateDir);
        const state = await readState(projectAt(real, stateDir), { writer: false });
        expect(new Set(state.skipped.map((entry) => entry.feature))).toEqual(model.skipped);
        expect(new Map(state.overrides.map((entry) => [entry.feature, entry.passes]))).toEqual(model.overridden);
        expect([state.paused, state.handoff !== null, state.last_session]).toEqual([model.paused, model.handedOff, model.last]);
      }
      expect(readdirSync(stateDir)).toEqual(['.gitignore', 'session_state.json']);
      rmSync(stateDir, { recursive: true, force: true });
    }),
    { numRuns: RUNS },
  );
}, 3_600_000);

function projectAt(platform: Platform, stateDir: string): Project {
  const config = ConfigSchema.parse({ project: { name: 'p' }, testing: { full: 'true' } });
  const documents = openDocuments(platform, folderStore(platform, stateDir), { onNewerState: 'abort' });
  const now = () => isoNow(platform.clock);
  return { platform, stateDir, config, documents, now, rules: { maxStuckSessions: 3, cleanupInterval: 0 } } as unknown as Project;
}

/** The machine goes down just before or just after the one write of a command; no process has the torn file's id. */
function cutting(real: Platform, cut: Move['cut']): Platform {
  const writeAtomic: Platform['files']['writeAtomic'] = async (path, data, mode) => {
    if (cut !== 'before') await real.files.writeAtomic(path, data, mode);
    else
      await real.files.write(
        `${path.replace('session_state.json', '.harness-tmp-session_state.json')}-p99999999-torn`,
        String(data).slice(0, 20),
      );
    if (cut !== 'no') throw new Error('cut off');
  };
  return { ...real, files: { ...real.files, writeAtomic } };
}

function eventOf(move: Move): ProjectEvent {
  switch (move.kind) {
    case 'skip':
      return { type: 'skipped', feature: move.feature, reason: 'later' };
    case 'unskip':
      return { type: 'unskipped', feature: move.feature };
    case 'override':
      return { type: 'overridden', feature: move.feature, passes: move.yes, kind: 'override' };
    case 'pause':
      return { type: 'paused' };
    case 'resume':
      return { type: 'resumed' };
    case 'handoff':
      return { type: 'handed.off', head: 'h' };
    case 'rollback':
      return { type: 'rolled.back', session: move.feature };
  }
}

function apply(model: Model, move: Move): void {
  if (move.kind === 'skip') model.skipped.add(move.feature);
  if (move.kind === 'unskip') model.skipped.delete(move.feature);
  if (move.kind === 'override') {
    model.overridden.set(move.feature, move.yes);
    if (move.yes) model.skipped.delete(move.feature);
  }
  if (move.kind === 'pause') model.paused = true;
  if (move.kind === 'resume') model.paused = model.handedOff = false;
  if (move.kind === 'handoff') model.handedOff = true;
  if (move.kind === 'rollback') model.last = Math.max(model.last, move.feature);
}
