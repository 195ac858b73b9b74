/**
 * What two visits to the same page come to, beside the pictures that were accepted before. Pure.
 *
 * 1. A picture that differs between two visits of the same tree is not steady: it is shown, and stands for nothing.
 * 2. A steady picture that differs from the accepted one by more than the feature allows has changed.
 */
import type { SeenPage, SeenPicture } from '../../domain/verdict.ts';
import { comparePictures } from './compare.ts';
import type { TakenPicture } from './follow-steps.ts';
import type { VisitPlan } from './plan-visit.ts';
import type { Visit } from './visit.ts';

export interface PictureFile {
  file: string;
  bytes: Buffer;
}

export interface Sight {
  page: SeenPage;
  files: PictureFile[];
}

/** `again`: the second visit; null: there was none, and no picture is known to be steady. */
export function seePage(plan: VisitPlan, visit: Visit, again: Visit | null, accepted: readonly TakenPicture[]): Sight {
  const files: PictureFile[] = [];
  const keep = (name: string, bytes: Buffer): string => {
    const file = `feature-${plan.feature}-${name}.png`;
    files.push({ file, bytes });
    return file;
  };
  const pictures = visit.pictures.map(({ name, bytes }): SeenPicture => {
    const file = keep(name, bytes);
    const steady = isSteady(bytes, again?.pictures.find((one) => one.name === name)?.bytes, plan.threshold);
    const before = accepted.find((one) => one.name === name)?.bytes;
    const difference = before === undefined ? null : comparePictures(before, bytes);
    if (before === undefined || (difference !== null && difference.share <= plan.threshold)) return { name, file, steady };
    const shown = {
      before: keep(`${name}-before`, before),
      difference: difference === null ? file : keep(`${name}-difference`, difference.picture),
    };
    return { name, file, steady, changed: { share: difference?.share ?? 1, ...shown } };
  });
  const { url, feature } = plan;
  return { page: { feature, url, followed: visit.followed, unread: visit.unread, problems: visit.problems, pictures }, files };
}

function isSteady(one: Buffer, other: Buffer | undefined, threshold: number): boolean {
  const difference = other === undefined ? null : comparePictures(one, other);
  return difference !== null && difference.share <= threshold;
}

/** As a person says it. */
export function inPercent(share: number): string {
  const percent = share * 100;
  return `${percent < 10 ? percent.toFixed(1) : Math.round(percent)} %`;
}
