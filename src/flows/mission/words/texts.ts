/** What prompts say about the parts of a mission. Pure. */
import type { Claim, MissionState, QueueFeature } from '../../../kernel/mission-schema.ts';
import { renderContract } from '../machine/contract-text.ts';
import { nameOf } from '../machine/flying.ts';
import { data } from '../role-call.ts';

export function featureText({ id, title, depends_on }: QueueFeature): string {
  return [
    `FEATURE_ID=${id}`,
    data('feature', `${id}: ${title}${depends_on.length === 0 ? '' : `\nbuilt on: ${depends_on.join(', ')}`}`),
  ].join('\n');
}

/** Claims that hold already, of the features that this one is built on: their notes have the interfaces and limits that it relies on. */
export function groundText({ depends_on }: QueueFeature, { features, claims }: Pick<MissionState, 'features' | 'claims'>): string {
  const wanted = new Set(features.filter(({ id, status }) => status === 'passed' && depends_on.includes(id)).flatMap((one) => one.claims));
  const ground = claims.filter(({ id }) => wanted.has(id));
  return ground.length === 0
    ? ''
    : `What it is built on; these claims hold and have to go on holding:\n\n${contractText('ground', ground)}`;
}

export function claimsText(feature: QueueFeature, claims: readonly Claim[]): string {
  return contractText(
    'claims',
    claims.filter(({ id }) => feature.claims.includes(id)),
  );
}

function contractText(label: string, claims: readonly Claim[]): string {
  return data(
    label,
    renderContract({ claims: [...claims] })
      .split('\n')
      .slice(4)
      .join('\n'),
  );
}

export function queueText({ features, flights, issues }: MissionState): string {
  const lines = features.map(({ id, title, status, attempts, depends_on }) => {
    const lane = flights.find((flight) => nameOf(flight) === id)?.phase;
    return `${id} ${status}${lane === undefined ? '' : ` (${lane})`}, attempts ${attempts}${depends_on.length === 0 ? '' : `, after ${depends_on.join(', ')}`}: ${title}`;
  });
  const open = issues.filter(({ state }) => state === 'open').map(({ title, feature }) => `issue of ${feature}: ${title}`);
  return data('queue', [...lines, ...open].join('\n'));
}

export function remarksText(remarks: readonly string[]): string {
  return remarks.length === 0
    ? ''
    : `Your last plan cannot be used. What is wrong with it:\n\n${data('remarks', remarks.map((line) => `- ${line}`).join('\n'))}`;
}
