/** The part of a judgement that is about more than tests: what the feature itself names to be checked, and what pages look like. */
import { visualOf } from '../domain/feature.ts';
import { checkNamed } from './checks/check-named.ts';
import { checkVisual } from './checks/check-visual.ts';
import { isDecided, runCheck, type Docket } from './docket.ts';
import { askedChecks } from './visual/named-checks.ts';

export async function judgeByLooking(docket: Docket): Promise<void> {
  const { input } = docket;
  const { tree } = input.judged;
  const visual = input.mode === 'feature' ? visualOf(input.feature) : null;
  const asked = input.mode === 'feature' ? askedChecks(input.feature, visual?.url !== undefined) : [];
  if (asked.length > 0 && !isDecided(docket))
    await runCheck(docket, 'checks', async () => {
      const checked = await checkNamed(input, tree, asked);
      docket.named = checked.named;
      return checked;
    });
  const accepted = (await input.pictures?.features()) ?? [];
  if (isDecided(docket) || (visual === null && accepted.length === 0)) return;
  await runCheck(docket, 'visual', async () => {
    const checked = await checkVisual(input, tree, asked);
    docket.seen = checked.seen;
    docket.pictures = checked.files;
    docket.named = [...docket.named, ...checked.named];
    return checked;
  });
}
