/** Compares what is protected between base and candidate, and makes the tree that is run. */
import type { JudgedTree, OpenCase } from '../case.ts';
import { pathSetOf } from '../../domain/tree-index.ts';
import { fileOf } from '../../domain/verdict.ts';
import { counted } from '../../domain/counted.ts';
import { FeatureListSchema } from '../../domain/feature.ts';
import { testFilesOf } from '../../domain/test-files.ts';
import { matchesGlob } from '../../domain/glob.ts';
import type { TreeChange } from '../../domain/tree.ts';
import { findAnswersTaken } from './check-code.ts';
import { ASK_ALWAYS, hostOf, hostsOf, type DependencyRules } from './new-dependencies.ts';
import { referencedFiles } from './config-references.ts';
import type { JudgeInput } from '../contract.ts';
import type { Check, CheckResult } from '../check.ts';
import { consult, isOff } from '../instruments.ts';
import { posix } from 'node:path';
import { calledScripts, commandFiles, isTestFile, isTestPath, kindOf, type ProtectedKind } from './protected-paths.ts';
import { planProtection, type ProtectionInput, type TextChange } from './protected.ts';
import { resolveCommand } from '../run/resolve-command.ts';
import { findShadows } from './shadows.ts';
import type { Platform } from '../../platform/platform.ts';
import { readSources } from '../source/read-source.ts';
import { languageOf, type SourceReading } from '../source/source.ts';
import { moduleCandidates, pythonCandidates } from '../source/imports.ts';
import { changedAssertions, keepsAssertions, keepsCalls, keepsTests, onlyGains, standsIn, type ReadText } from '../source/test-changes.ts';
import { redirectedNames } from './redirected.ts';
import { commandSources, reachedScripts } from '../run/command-sources.ts';
import { isReadTestByTest } from '../run/test-command.ts';
import { codeWithTests } from './own-tests.ts';
import { toldElsewhere } from './told-elsewhere.ts';
import { filesOfTests } from './protected-by-file.ts';
import { itemAt } from '../../domain/items.ts';

export const PROTECTED: Check = {
  id: 'protected',
  title: 'protected files',
  weight: 'reject',
  cost: 'text',
  run: async (input) => {
    const { result, judged } = await checkProtected(input);
    return { ...result, facts: { judged } };
  },
  doc: 'Accepted tests, settings and tools are unchanged. If they changed, the originals are used for judging and you decide about the change.',
};

export async function checkProtected(input: OpenCase): Promise<{ result: CheckResult; judged: JudgedTree }> {
  const changes = await input.trees.diff(input.base.tree, input.candidate.tree);
  const facts = await gatherFacts(input, changes);
  const plan = planProtection({ ...facts, changes: await withTexts(input, changes, facts) });
  const tree = plan.edits.length === 0 ? input.candidate.tree : await input.trees.compose(input.candidate.tree, plan.edits);
  const detail =
    plan.edits.length === 0
      ? `${counted(changes.length, 'changed file')}, ${plan.released.length === 0 ? 'none protected' : `${counted(plan.released.length, 'test file')} that the feature may change`}`
      : `${counted(plan.edits.length, 'protected file')} ${plan.edits.length === 1 ? 'was' : 'were'} changed; the originals were used for judging`;
  const findings = [...plan.findings, ...(await consult(input, 'protected/answers-taken', () => findAnswersTaken(input, changes)))];
  const { edits, contract, released, helpers, rewritten } = plan;
  return { result: { findings, detail }, judged: { tree, changes, edits, contract, released, helpers, rewritten } };
}

async function gatherFacts(input: OpenCase, changes: readonly TreeChange[]): Promise<Omit<ProtectionInput, 'changes'>> {
  const { platform } = input;
  const { settings, base, baseline, trees } = input;
  const features = FeatureListSchema.parse(JSON.parse(input.features.trusted)).features;
  const filesOf = (passes: boolean): string[] => features.filter((one) => one.passes === passes).flatMap(testFilesOf);
  const paths = pathSetOf(await trees.list(base.tree));
  const known = baseline?.passing_tests ?? [];
  const holding = codeWithTests(known);
  const commands = [settings.testing.full, settings.testing.feature, settings.quality.lint_command];
  const sources = await commandSources(trees, base.tree, commands);
  const resolved = commands
    .flatMap((command) => (command === null ? [] : resolveCommand(command, sources)))
    .flatMap((one) => [one.words?.join(' ') ?? null, ...one.before, ...one.checks]);
  const named = await withCalled(
    input,
    commandFiles([...commands, ...resolved, ...reachedScripts(sources.scripts, commands)], paths),
    paths,
  );
  return {
    accepted: new Set([
      ...filesOf(true),
      ...known.map(fileOf).filter((path) => paths.has(path) && !holding.has(path)),
      ...(isOff(input, 'protected/counted-elsewhere') ? [] : await toldElsewhere(platform, input, paths)),
    ]),
    holding,
    open: new Set(filesOf(false)),
    assigned: new Set(testFilesOf(input.feature)),
    mayChange: (path) => [...(input.feature?.may_change ?? []), ...(input.mayChange ?? [])].some((glob) => matchesGlob(path, glob)),
    dependencies: await dependencyRules(input),
    featuresPath: settings.paths.features,
    progressPath: settings.paths.progress,
    stateDirectory: settings.paths.state_dir,
    extra: settings.verification.protected,
    byFile: isReadTestByTest(settings.testing, sources)
      ? new Set()
      : await testsOfCommand(input, [...commands.slice(0, 2), ...resolved], paths),
    commandFiles: new Set([...named, ...(await configuredFiles(input, base.tree, paths))]),
    paths,
    shadows: isOff(input, 'protected/shadows') ? new Map() : await findShadows(platform, input, changes, paths),
    linkKinds: await kindsOfLinks(input, changes),
  };
}

async function dependencyRules({ platform, settings, feature, base, trees }: OpenCase): Promise<DependencyRules> {
  const { new_dependencies: policy, listed_dependencies: listed = [] } = settings.verification;
  if (policy === undefined || policy === null || policy === 'ask') return ASK_ALWAYS;
  const read = async (path: string): Promise<string | null> => (await trees.read(base.tree, path))?.toString('utf8') ?? null;
  const named = [...((await read('.npmrc')) ?? '').matchAll(/^\s*(?:@[^:\s]+:)?registry\s*=\s*(\S+)/gm)].map((match) => match[1]);
  const own = [platform.env['npm_config_registry'], platform.env['NPM_CONFIG_REGISTRY']];
  const hosts = [...named, ...own].flatMap((address) => hostOf(address) ?? []);
  return {
    policy,
    listed: new Set([...listed, ...(feature?.new_dependencies ?? [])]),
    hosts: new Set([...hosts, ...hostsOf(await read('package-lock.json'))]),
  };
}

/** Whom these replace is told by their names, and a link may bring any. */
const MOCKS = /(?:^|\/)__mocks__(?:\/|$)/;

/** What new links stand for: a folder of another name may be protected under the link's. */
async function kindsOfLinks(input: JudgeInput, changes: readonly TreeChange[]): Promise<Map<string, ProtectedKind>> {
  const kinds = new Map<string, ProtectedKind>();
  const links = changes.filter((change) => change.to?.mode === '120000');
  const paths = links.length === 0 ? [] : (await input.trees.list(input.candidate.tree)).map((entry) => entry.path);
  const options = {
    stateDirectory: input.settings.paths.state_dir,
    extra: input.settings.verification.protected,
    commandFiles: new Set<string>(),
  };
  for (const link of links) {
    const target = posix.join(posix.dirname(link.path), (await input.trees.readBlob(link.to!.oid)).toString('utf8'));
    const below = paths.filter((path) => path.startsWith(`${target}/`)).map((path) => `${link.path}${path.slice(target.length)}`);
    const kind = [link.path, `${link.path}/x`, ...below]
      .map((path) => kindOf(path, options) ?? (MOCKS.test(path) ? 'runner-config' : null))
      .find((one) => one !== null);
    if (kind !== undefined && kind !== null) kinds.set(link.path, kind);
  }
  return kinds;
}

/** What the command and the scripts that it calls can be seen to read. */
async function testsOfCommand(
  input: Pick<JudgeInput, 'base' | 'trees'>,
  commands: readonly (string | null)[],
  paths: ReadonlySet<string>,
): Promise<Set<string>> {
  const named = await withCalled(input, commandFiles(commands, paths), paths);
  const there = [...named].filter((one) => paths.has(one)).slice(0, MOST_CONFIGS);
  const scripts: string[] = [];
  for (const path of there) scripts.push((await input.trees.read(input.base.tree, path))?.toString('utf8').slice(0, LONGEST_SCRIPT) ?? '');
  return filesOfTests(paths, { commands: commands.flatMap((command) => command ?? []), scripts, named: new Set(there) });
}

const LONGEST_SCRIPT = 100_000;

/** With the scripts that these call, and those that they call in turn. */
async function withCalled(
  input: Pick<JudgeInput, 'base' | 'trees'>,
  files: ReadonlySet<string>,
  paths: ReadonlySet<string>,
): Promise<Set<string>> {
  const known = new Set(files);
  for (const file of known) {
    if (known.size > MOST_CONFIGS || !paths.has(file) || !/(\.(sh|bash|zsh|mk|just|rake|ya?ml)|file|\/[^./]+|^[^./]+)$/i.test(file))
      continue;
    for (const called of calledScripts((await input.trees.read(input.base.tree, file))?.toString('utf8') ?? '', paths)) known.add(called);
  }
  return known;
}

/** Code that runs before tests, by its name. What it imports may be the product: that is no configuration, and is looked at as what a set-up takes. */
export const SET_UP = /^(?:setup-?tests|tests?-setup|(?:jest|vitest)\.setup)\./i;

/** Parts of the run that its configuration names, in the trusted tree; tests themselves are protected otherwise. */
export async function configuredFiles(
  input: Pick<JudgeInput, 'settings' | 'trees'>,
  tree: string,
  paths: ReadonlySet<string>,
): Promise<string[]> {
  const options = { stateDirectory: input.settings.paths.state_dir, extra: [], commandFiles: new Set<string>() };
  const isConfig = (path: string): boolean => kindOf(path, options) === 'runner-config' && !SET_UP.test(posix.basename(path));
  const configs = [...paths].filter((path) => path === 'package.json' || isConfig(path)).slice(0, MOST_CONFIGS);
  const found: string[] = [];
  for (const path of configs) found.push(...referencedFiles(path, (await input.trees.read(tree, path))?.toString('utf8') ?? '', paths));
  return found.filter((path) => !isTestFile(path) && !FOR_PEOPLE.test(path));
}

/** What tools name because they print or count it. */
const FOR_PEOPLE = /\.(?:md|markdown|rst)$/i;

const MOST_CONFIGS = 100;

/** Only what a rule may look at is read. */
async function withTexts(input: OpenCase, changes: readonly TreeChange[], facts: Omit<ProtectionInput, 'changes'>): Promise<TextChange[]> {
  const { platform } = input;
  const options = { stateDirectory: facts.stateDirectory, extra: facts.extra, commandFiles: facts.commandFiles };
  const read = async (entry: TreeChange['from']): Promise<string | null> =>
    entry === null ? null : (await input.trees.readBlob(entry.oid)).toString('utf8');
  const texts: TextChange[] = [];
  for (const change of changes) {
    const matters =
      facts.accepted.has(change.path) ||
      facts.holding.has(change.path) ||
      facts.byFile.has(change.path) ||
      facts.assigned.has(change.path) ||
      isTestPath(change.path) ||
      kindOf(change.path, options) !== null;
    texts.push({ ...change, before: matters ? await read(change.from) : null, after: matters ? await read(change.to) : null });
  }
  return withMoved(platform, await withReadings(input, texts));
}

/** Whether the tests of files that are gone stand in others. */
async function withMoved(platform: Platform, texts: readonly TextChange[]): Promise<TextChange[]> {
  const gone = texts.filter((one) => one.before !== null && one.to === null && isTestFile(one.path) && languageOf(one.path) !== null);
  if (gone.length === 0) return [...texts];
  const others = texts.filter((one) => one.after !== null && isTestFile(one.path) && languageOf(one.path) !== null);
  const read = async (some: readonly { path: string; text: string }[]): Promise<(ReadText | null)[]> =>
    (await readSources(platform, some)).map((reading, index) => (reading === null ? null : { text: itemAt(some, index).text, reading }));
  const before = await read(gone.map((one) => ({ path: one.path, text: one.before! })));
  const after = (await read(others.map((one) => ({ path: one.path, text: one.after! })))).filter((one) => one !== null);
  return texts.map((one) => {
    const old = before[gone.indexOf(one)] ?? null;
    return old === null ? one : { ...one, stands: standsIn(old, after) };
  });
}

/** What the parsers say about tests and helpers that were there and are there. */
async function withReadings(input: OpenCase, texts: readonly TextChange[]): Promise<TextChange[]> {
  const { platform } = input;
  const helpers = new Set(texts.filter((one) => one.to !== null && isTestPath(one.path)).map((one) => one.path));
  const both = texts.filter((one) => one.before !== null && one.after !== null && languageOf(one.path) !== null);
  const before = await readSources(
    platform,
    both.map((one) => ({ path: one.path, text: one.before! })),
  );
  const after = await readSources(
    platform,
    both.map((one) => ({ path: one.path, text: one.after! })),
  );
  const results = texts.map(async (one): Promise<TextChange> => {
    const index = both.indexOf(one);
    const [old, now] = [before[index] ?? null, after[index] ?? null];
    if (old === null || now === null) return one;
    const elsewhere = isOff(input, 'protected/redirected-names')
      ? []
      : await redirectedNames(platform, input, { path: one.path, before: old, after: now });
    const [first, second] = [
      { text: one.before!, reading: old },
      { text: one.after!, reading: now },
    ];
    return {
      ...one,
      keeps: {
        tests: keepsTests(first, second) && !loadsAnother(one.path, old, now, helpers),
        assertions: elsewhere.length === 0 && keepsAssertions(first, second),
        calls: elsewhere.length === 0 && keepsCalls(first, second),
        everything: onlyGains(first, second),
        differences: [...elsewhere, ...changedAssertions(first, second)],
      },
    };
  });
  return await Promise.all(results);
}

/** Whether it has come to import one of these: that does more than to give names. */
function loadsAnother(path: string, before: SourceReading, after: SourceReading, helpers: ReadonlySet<string>): boolean {
  const known = new Set(before.imports.map((one) => one.specifier));
  return after.imports
    .filter((one) => !known.has(one.specifier))
    .some((one) =>
      (path.endsWith('.py') ? pythonCandidates(one, path).flat() : moduleCandidates(posix.join(posix.dirname(path), one.specifier))).some(
        (candidate) => candidate !== path && helpers.has(candidate),
      ),
    );
}
