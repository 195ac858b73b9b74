/**
 * One pull request for each branch of accepted work.
 *
 * 1. It is looked for by its branch before it is made, also after an answer that was lost: it is updated, never made twice.
 * 2. What a person merged or closed stays so.
 */
import { HubFailure, type Pull, type PullHub, type PullText } from './contract.ts';

export type Published = { kind: 'created' | 'updated' | 'unchanged' | 'closed' | 'merged'; number: number };

export async function publishPull(hub: PullHub, branch: string, base: string, text: PullText): Promise<Published> {
  const known = await hub.pullFrom(branch);
  if (known !== null) return await bringUpToDate(hub, known, text);
  try {
    return { kind: 'created', number: (await hub.createPull(branch, base, text)).number };
  } catch (error) {
    if (!(error instanceof HubFailure) || error.kind !== 'network') throw error;
    const made = await hub.pullFrom(branch);
    if (made === null) throw error;
    return { kind: 'created', number: made.number };
  }
}

async function bringUpToDate(hub: PullHub, known: Pull, text: PullText): Promise<Published> {
  const { number } = known;
  if (known.merged) return { kind: 'merged', number };
  if (known.state === 'closed') return { kind: 'closed', number };
  if (known.title === text.title && known.body === text.body) return { kind: 'unchanged', number };
  await hub.updatePull(number, text);
  return { kind: 'updated', number };
}
