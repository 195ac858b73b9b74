/**
 * The pages of the tree that is judged, looked at by the harness itself.
 *
 * 1. The feature's own page is visited twice. What speaks against it both times refuses the work; what did so once is a question.
 * 2. Pages of accepted features are visited where pictures of them were accepted. What does not work there any more, and did on the code
 *    from before the session, is a regression; a picture that changed is a question with both and their difference.
 * 3. Where nobody could look, and where a step could not be followed, a person is asked: nothing passes unseen. A feature without an
 *    address is judged by its tests, and the verdict says so.
 */
import { counted } from '../../domain/counted.ts';
import { featureLabel } from '../../domain/feature-name.ts';
import { FeatureListSchema, visualOf, type Feature } from '../../domain/feature.ts';
import type { Finding, NamedCheck, SeenPage } from '../../domain/verdict.ts';
import type { Case, OpenCase } from '../case.ts';
import type { JudgeInput } from '../contract.ts';
import type { Check, CheckResult } from '../check.ts';
import type { AskedCheck } from '../visual/named-checks.ts';
import { asksOf } from './check-named.ts';
import { planVisit, type VisitPlan } from '../visual/plan-visit.ts';
import { inPercent, seePage, type PictureFile, type Sight } from '../visual/see-page.ts';
import { visitTree, type Visit, type VisitResult } from '../visual/visit.ts';
import { firstItem } from '../../domain/items.ts';
import { mustHave } from '../../domain/must-have.ts';

interface VisualCheck extends CheckResult {
  seen: SeenPage[];
  files: PictureFile[];
  named: NamedCheck[];
}

export const VISUAL: Check = {
  id: 'visual',
  title: 'pages',
  weight: 'reject',
  cost: 'trial',
  applies: async ({ mode, feature, pictures }) =>
    (mode === 'feature' && visualOf(feature) !== null) || ((await pictures?.features()) ?? []).length > 0,
  run: async (judged) => {
    const { seen, files, named, ...result } = await checkVisual(judged);
    return { ...result, facts: { seen: { pages: seen, pictures: files, named } } };
  },
  doc: "The feature's page works in a real browser, and pages of accepted features still look as accepted.",
};

const NOTHING: VisualCheck = { findings: [], detail: 'no page to visit', skipped: true, seen: [], files: [], named: [] };
/** Pages of accepted features that one verdict looks at. */
const MOST_ACCEPTED = 20;

async function checkVisual(input: Case): Promise<VisualCheck> {
  const { tree } = input.judged;
  const asked = asksOf(input);
  const own = input.mode === 'feature' ? await checkOwn(input, tree, asked) : NOTHING;
  if (own.findings.some(({ weight }) => weight === 'reject')) return own;
  const others = await checkAccepted(input, tree);
  const parts = [own, others].filter(({ skipped }) => skipped !== true);
  if (parts.length === 0) return { ...own, caveats: [...(own.caveats ?? []), ...(others.caveats ?? [])] };
  return {
    findings: parts.flatMap(({ findings }) => findings),
    detail: parts.map(({ detail }) => detail).join('; '),
    caveats: [own, others].flatMap(({ caveats }) => caveats ?? []),
    seen: parts.flatMap(({ seen }) => seen),
    files: parts.flatMap(({ files }) => files),
    named: own.named,
  };
}

async function checkOwn(input: OpenCase, tree: string, asked: readonly AskedCheck[]): Promise<VisualCheck> {
  const plan = planVisit(input.feature, input.settings, asked);
  if (plan === null) return NOTHING;
  const feature = mustHave(input.feature, 'a visit is planned for a feature');
  if (typeof plan === 'string') return withoutVisit(feature, plan);
  const look = visitor(input, tree, plan);
  const first = await look('judge');
  if (first.kind === 'unable') return withoutVisit(feature, first.why, 'ask');
  const second = await look('again');
  if (second.kind === 'unable') return withoutVisit(feature, second.why, 'ask');
  const sight = seePage(plan, ...worstFirst(first.visit, second.visit), (await input.pictures?.accepted(plan.feature)) ?? []);
  const findings = [...failedVisits(plan, first.visit, second.visit), ...notFollowed(sight.page), ...changedPictures(sight.page)];
  return {
    findings,
    detail: `visited ${plan.url} twice: ${sight.page.followed} of ${plan.steps.length} steps followed, ${counted(sight.page.problems.length, 'problem')}`,
    caveats: [...unsteady(sight.page), ...outsideOf(first.visit)],
    seen: [sight.page],
    files: sight.files,
    named: namedByVisit(asked, sight.page),
  };
}

/** What is shown is the visit that has something against the page. */
function worstFirst(first: Visit, second: Visit): [Visit, Visit] {
  return first.problems.length === 0 && second.problems.length > 0 ? [second, first] : [first, second];
}

type Look = (room: 'judge' | 'again') => Promise<VisitResult>;

function visitor(input: OpenCase, tree: string, plan: VisitPlan): Look {
  const { platform } = input;
  return (room) =>
    visitTree(platform, input, { ...plan, tree, room: room === 'judge' ? { name: 'judge' } : { name: 'repeat', fresh: true } });
}

/** Nobody but a person can look then; without an address, nobody was meant to. */
function withoutVisit(feature: Feature, why: string, weight: 'ask' | null = null): VisualCheck {
  const isAsked = weight === 'ask' || feature.visual_verification?.url !== undefined;
  const message = `the page was not visited: ${why}`;
  if (!isAsked) return { ...NOTHING, detail: message, caveats: [message] };
  const subjects = [...(feature.visual_verification?.steps ?? [])];
  const finding: Finding = {
    check: 'visual',
    reason: 'visual.unchecked',
    weight: 'ask',
    message: `${message}; please look at it yourself`,
    subjects,
  };
  return { ...NOTHING, skipped: false, findings: [finding], detail: message, caveats: [message] };
}

function failedVisits({ feature, url }: VisitPlan, first: Visit, second: Visit): Finding[] {
  const failed = [first, second].filter(({ problems }) => problems.length > 0);
  if (failed.length === 0) return [];
  const once = failed.length === 1;
  const [problem = '', ...more] = firstItem(failed).problems;
  const message = `${once ? 'one of two visits' : 'the visit'} to ${url} found a problem with feature ${featureLabel(feature)}: ${problem}`;
  return [{ check: 'visual', reason: 'visual.failed', weight: once ? 'ask' : 'reject', message, subjects: more.slice(0, 10) }];
}

function notFollowed({ feature, unread }: SeenPage): Finding[] {
  if (unread.length === 0) return [];
  const message = `the harness could not follow ${unread.length === 1 ? 'a step' : `${unread.length} steps`} on the page of feature ${featureLabel(feature)}; please look at it yourself`;
  return [{ check: 'visual', reason: 'manual.confirmation', weight: 'ask', message, subjects: unread }];
}

function changedPictures({ feature, pictures }: SeenPage): Finding[] {
  const changed = pictures.flatMap((picture) => (picture.changed === undefined ? [] : [{ ...picture, changed: picture.changed }]));
  if (changed.length === 0) return [];
  const names = changed.map(({ name, changed: by }) => `${name} (${inPercent(by.share)})`);
  const message = `feature ${featureLabel(feature)} no longer looks as accepted: ${names.join(', ')}`;
  return [
    {
      check: 'visual',
      reason: 'visual.changed',
      weight: 'ask',
      message,
      subjects: changed.map(({ name }) => `feature ${featureLabel(feature)}: ${name}`),
    },
  ];
}

function unsteady({ feature, pictures }: SeenPage): string[] {
  const names = pictures.filter(({ steady }) => !steady).map(({ name }) => name);
  return names.length === 0
    ? []
    : [`pictures of feature ${featureLabel(feature)} differ between visits, so they are not compared: ${names.join(', ')}`];
}

function outsideOf({ outside }: Visit): string[] {
  return outside.length === 0 ? [] : [`the page requests addresses that a visit cannot reach: ${outside.slice(0, 3).join(', ')}`];
}

function namedByVisit(asked: readonly AskedCheck[], page: SeenPage): NamedCheck[] {
  return asked
    .filter(({ by }) => by === 'visit')
    .map(({ check }) => {
      const passed = page.problems.length === 0 && !page.unread.includes(check);
      return { check, by: 'visit', passed, detail: passed ? 'seen on the page' : 'not seen on the page' };
    });
}

async function checkAccepted(input: OpenCase, tree: string): Promise<VisualCheck> {
  const plans = await acceptedPlans(input);
  const findings: Finding[] = [];
  const sights: Sight[] = [];
  const caveats = plans.length > MOST_ACCEPTED ? [`pages of ${plans.length - MOST_ACCEPTED} accepted features were not visited`] : [];
  for (const plan of plans.slice(0, MOST_ACCEPTED)) {
    const look = visitor(input, tree, plan);
    const visited = await look('judge');
    if (visited.kind === 'unable') return { ...NOTHING, caveats: [`pages of accepted features were not visited: ${visited.why}`] };
    const pictures = await mustHave(input.pictures, 'accepted pictures are compared only where there are some').accepted(plan.feature);
    let sight = seePage(plan, visited.visit, null, pictures);
    const isDoubtful = visited.visit.problems.length > 0 || changedPictures(sight.page).length > 0;
    const again = isDoubtful ? await look('again') : visited;
    if (again.kind === 'unable') return { ...NOTHING, caveats: [`pages of accepted features were not visited: ${again.why}`] };
    sight = seePage(plan, again.visit, visited.visit, pictures);
    sights.push(sight);
    if (visited.visit.problems.length > 0 && again.visit.problems.length > 0) findings.push(await broken(input, plan, again.visit));
    else findings.push(...changedPictures({ ...sight.page, pictures: sight.page.pictures.filter(({ steady }) => steady) }));
  }
  if (sights.length === 0) return { ...NOTHING, caveats };
  const detail = `visited ${counted(sights.length, 'page')} of accepted features`;
  return { findings, detail, caveats, seen: sights.map(({ page }) => page), files: sights.flatMap(({ files }) => files), named: [] };
}

/** Accepted features with an address of which pictures were accepted. */
async function acceptedPlans({ features, feature, settings, pictures }: JudgeInput): Promise<VisitPlan[]> {
  if (pictures === undefined) return [];
  const known = new Set(await pictures.features());
  const list = FeatureListSchema.safeParse(parsed(features.trusted));
  const others = list.success ? list.data.features.filter((one) => one.passes && one.id !== feature?.id && known.has(one.id)) : [];
  return others.map((one) => planVisit(one, settings)).filter((plan) => plan !== null && typeof plan !== 'string');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Against the work only where the code from before the session does better. */
async function broken(input: OpenCase, plan: VisitPlan, visit: Visit): Promise<Finding> {
  const { platform } = input;
  const before = await visitTree(platform, input, { ...plan, tree: input.base.tree, room: { name: 'base' } });
  const wasFine = before.kind === 'visited' && before.visit.problems.length === 0;
  const [problem = '', ...more] = visit.problems;
  const message = `the page of feature ${featureLabel(plan.feature)} no longer works: ${problem}${wasFine ? '' : ' (as on base)'}`;
  return { check: 'visual', reason: 'regression', weight: wasFine ? 'reject' : 'warn', message, subjects: more.slice(0, 10) };
}
