/** Which visit a feature asks for. Pure. */
import { visualOf, type Feature } from '../../domain/feature.ts';
import type { JudgeSettings } from '../contract.ts';
import type { AskedCheck } from './named-checks.ts';
import { readSteps, type ReadStep } from './steps.ts';

export interface VisitPlan {
  feature: number;
  url: string;
  startup: string;
  steps: ReadStep[];
  allowed: string[];
  /** Share of a picture's points that may differ. */
  threshold: number;
}

const DEFAULT_THRESHOLD = 0.01;

/** A text: why there is none although the feature is about something to look at. Null: it is not. */
export function planVisit(
  feature: Feature | null,
  settings: Pick<JudgeSettings, 'environment'>,
  asked: readonly AskedCheck[] = [],
): VisitPlan | string | null {
  const visual = visualOf(feature);
  if (feature === null || visual === null) return null;
  if (visual.url === undefined) return 'visual_verification has no url';
  const startup = visual.startup ?? settings.environment?.init ?? null;
  if (startup === null) return 'visual_verification has no startup, and the settings have no environment.init';
  const looks = asked.filter(({ by }) => by === 'visit').map(({ check }) => check);
  return {
    feature: feature.id,
    url: visual.url,
    startup,
    steps: readSteps([...(visual.steps ?? []), ...looks]),
    allowed: visual.allowed_console_errors ?? [],
    threshold: visual.threshold ?? DEFAULT_THRESHOLD,
  };
}
