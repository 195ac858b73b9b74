/**
 * `harness doctor`: what is missing on this machine and in these settings, and what mends it; with `--verify` also whether verification
 * holds in the project's own test set-up, with `--fix browser` a browser for agents in the settings. Exit 6 when something required is missing,
 * a planted cheat passes, or nothing can be told about the project's tests.
 */
import { join } from 'node:path';
import { checkBackends } from '../../agents/registry.ts';
import { CONFIG_FILE, readConfig, wordProblem, type ConfigResult } from '../../config/read-config.ts';
import { BROWSER_SERVER, withBrowserServer } from '../../config/browser-server.ts';
import { usageError, type HarnessError } from '../../domain/errors.ts';
import { EXIT, type ExitCode } from '../../domain/reasons.ts';
import { openProject, type Project } from '../../flows/project/project.ts';
import { headOf } from '../../kernel/ground/head.ts';
import type { Feature } from '../../domain/feature.ts';
import { agentWishes, grantToAgents } from '../../kernel/founding/install-consent.ts';
import { projectManager } from '../../kernel/founding/manager-check.ts';
import { performSelfCheck } from '../../kernel/ground/self-check.ts';
import { lookAtTests, type TestLook } from '../../kernel/founding/first-look.ts';
import { testFilesOf } from '../../domain/test-files.ts';
import { readState } from '../../flows/project/state-files.ts';
import { readTrusted } from '../../flows/project/list/trusted.ts';
import { BROWSER_REMEDY, findBrowser } from '../../platform/find-browser.ts';
import type { SelfCheck, CaseResult } from '../../verify/self-check/self-check.ts';
import { foreignState } from '../../store/state-folder.ts';
import { explainAdoption } from '../adoption-lines.ts';
import type { Command, CommandContext } from '../command.ts';
import {
  checkAgent,
  checkBrowser,
  checkGit,
  checkManager,
  checkNode,
  checkSandbox,
  checkSockets,
  type MachineCheck,
} from '../machine-checks.ts';
import { flagOption, textOption } from '../options.ts';
import { fixPackages } from '../fix-packages.ts';
import { findStateDir } from '../../reading/state-dir.ts';
import { duration } from '../../reading/figures.ts';

export const run: Command = async (context) => {
  const fix = textOption(context.options, 'fix');
  if (fix !== null) return await mend(context, fix);
  const settings = await readConfig(context.platform, context.root);
  const foreign = await foreignState(context.platform, context.root, await findStateDir(context.platform, context.root));
  const checks = [...(await lookAround(context, settings)), ...(foreign === null ? [] : [checkState(foreign)])];
  if (foreign !== null && flagOption(context.options, 'verify')) throw foreign;
  const verified = flagOption(context.options, 'verify') ? await verify(context) : null;
  const holds = verified === null || (HOLDING.has(verified.check.state) && verified.look.nothing === null);
  const healthy = holds && !checks.some((check) => check.required && check.state === 'missing');
  context.output.object(
    {
      healthy,
      checks,
      ...(verified === null ? {} : { self_check: verified.check, tests: { ...verified.look.ground, ...withoutGround(verified.look) } }),
    },
    describe(checks, healthy, verified === null ? [] : [...explainAdoption(verified.look), '', ...describeSelfCheck(verified.check), '']),
  );
  return { exitCode: healthy ? EXIT.done : EXIT.preflight };
};

/** States of the self-check in which claims can be accepted, by a person at least. */
const HOLDING: ReadonlySet<SelfCheck['state']> = new Set(['sound', 'basic']);

function withoutGround({ suiteMs, red, unsteady, nothing, lacked, sandboxed }: TestLook): Record<string, unknown> {
  return { suite_ms: Math.round(suiteMs), red, unsteady, nothing, lacked, sandboxed };
}

/** What the harness can put right by itself. */
async function mend(context: CommandContext, what: string): Promise<{ exitCode: ExitCode }> {
  if (what === 'telemetry') {
    const { findTelemetry, TELEMETRY_FOLDER: folder, TELEMETRY_PACKAGES: packages } = await import('../../kernel/telemetry/sdk.ts');
    const find = (): Promise<string | null> => findTelemetry(context.platform);
    return await fixPackages(context, { name: 'telemetry', title: 'The OpenTelemetry SDK is', folder, packages, find });
  }
  if (what === 'fleet') {
    const { findFleetPackages, FLEET_PACKAGES: packages } = await import('../../fleet/packages.ts');
    const find = async (): Promise<string | null> => (await findFleetPackages(context.platform))?.folder ?? null;
    return await fixPackages(context, { name: 'fleet', title: 'The packages of the fleet are', folder: 'fleet', packages, find });
  }
  const { platform, root, output } = context;
  if (what !== 'browser')
    throw usageError(`--fix knows browser, telemetry and fleet, not ${what}.`, 'harness doctor says what is missing, and how to get it.');
  const browser = await findBrowser(platform);
  if (browser === null) {
    const message = `No browser was found. To get one: ${BROWSER_REMEDY}`;
    output.object({ fixed: false, browser: null, message }, message);
    return { exitCode: EXIT.preflight };
  }
  const file = join(root, CONFIG_FILE);
  const text = await platform.files.readTextIfExists(file);
  if (text === null)
    throw usageError(
      `There is no ${CONFIG_FILE} here.`,
      'Set the project up first: harness init --features FILE, or harness init --spec FILE.',
    );
  if ((await readConfig(platform, root))?.config === null)
    throw usageError(`${CONFIG_FILE} has mistakes.`, 'harness doctor names them; correct them first.');
  const written = withBrowserServer(text, browser);
  if (written !== null) await platform.files.writeAtomic(file, written);
  const wishes = await agentWishes(platform, root);
  const servers = wishes?.mcp_servers.filter(isBrowser) ?? [];
  if (servers.length > 0) await grantToAgents(platform, root, { env: [], command: null, mcp_servers: servers, network: false });
  const message =
    written === null
      ? `Agents have a browser already: tools.mcp_servers.${BROWSER_SERVER} in ${CONFIG_FILE}, with ${browser}.`
      : `Agents get a browser: tools.mcp_servers.${BROWSER_SERVER} in ${CONFIG_FILE}, Playwright's MCP server with ${browser}. Commit the file.`;
  output.object({ fixed: written !== null, browser, message }, message);
  return { exitCode: EXIT.done };
}

function isBrowser(server: string): boolean {
  return server.startsWith(`${BROWSER_SERVER}: `);
}

async function verify({ platform, root, output, signal }: CommandContext): Promise<{ check: SelfCheck; look: TestLook }> {
  const project = await openProject(platform, root, { emit: output.emit, journal: false });
  const head = await headOf(project);
  if (head === null) throw usageError('The self-check works on a commit, and this repository has none yet.', 'Commit your files first.');
  output.note("Planting cheats in this project's test set-up. This takes a moment.");
  const features = await listedFeatures(project, head.tree);
  const { check } = await performSelfCheck(project, { features, tree: head.tree }, { signal });
  const open = new Set(features.filter(({ passes }) => !passes).flatMap(testFilesOf));
  const { look } = await lookAtTests(project, head.tree, { unwritten: open });
  return { check, look };
}

/** A mission has no list in the project. */
async function listedFeatures(project: Project, tree: string): Promise<Feature[]> {
  if ((await project.trees.read(tree, project.config.paths.features)) === null) return [];
  const { loaded } = await readTrusted(project, await readState(project, { writer: false }), { anyCircle: true });
  return loaded.list.features;
}

async function lookAround({ platform, cwd }: CommandContext, settings: ConfigResult | null): Promise<MachineCheck[]> {
  const agent = settings?.config?.agent ?? null;
  const manager = await projectManager(platform, cwd);
  const reports = await checkBackends(platform, agent === null ? {} : { command: agent.command });
  const sandbox = await platform.sandbox();
  const sockets = await checkSockets(sandbox);
  return [
    checkNode(process.version),
    await checkGit(platform),
    checkSandbox(sandbox),
    ...(sockets === null ? [] : [sockets]),
    ...(manager === null ? [] : [checkManager(manager)]),
    ...reports.map((report) => checkAgent(report, report.name === agent?.backend)),
    await checkBrowser(platform),
    checkSettings(settings),
  ];
}

function checkSettings(settings: ConfigResult | null): MachineCheck {
  if (settings === null) {
    return {
      name: 'settings',
      state: 'warning',
      required: false,
      detail: `no ${CONFIG_FILE} here`,
      fix: 'harness init --features FILE, or harness init --spec FILE',
    };
  }
  const remarks = [...settings.errors, ...settings.warnings].map((problem) => wordProblem(CONFIG_FILE, problem));
  if (settings.config === null)
    return { name: 'settings', state: 'missing', required: true, detail: remarks.join('; '), fix: `correct ${CONFIG_FILE}` };
  return {
    name: 'settings',
    state: remarks.length === 0 ? 'ok' : 'warning',
    required: false,
    detail: remarks.join('; ') || `${CONFIG_FILE} is in order`,
    fix: null,
  };
}

function checkState({ message, details }: HarnessError): MachineCheck {
  return { name: 'state', state: 'missing', required: true, detail: message, fix: details.join(' ') };
}

const MARKS = { ok: '✓', missing: '✗', warning: '!' } as const;

function describe(checks: readonly MachineCheck[], healthy: boolean, verification: readonly string[]): string {
  return [
    ...checks.flatMap((check) => [
      `${MARKS[check.state]} ${check.name}: ${check.detail}`,
      ...(check.fix === null ? [] : [`    to fix it: ${check.fix}`]),
    ]),
    '',
    ...verification,
    healthy ? `Everything that is required is here.${agentRemark(checks)}` : 'Something required is missing: see the lines marked ✗.',
  ].join('\n');
}

/** Whoever has chosen no agent yet needs one all the same. */
function agentRemark(checks: readonly MachineCheck[]): string {
  const canStart = checks.some((check) => check.name.startsWith('agent ') && check.state === 'ok');
  return canStart ? '' : ' No agent can start yet: fix one of those above. harness demo needs none.';
}

/** What a self-check found, for people. */
function describeSelfCheck(check: SelfCheck): string[] {
  const head = `Self-check of verification with ${check.runner}${check.model === null ? '' : `, modelled on ${check.model}`} (${duration(check.duration_ms)}):`;
  return [head, ...check.results.map(lineOf), ...conclusion(check)];
}

function lineOf(result: CaseResult): string {
  const name = result.family ?? 'honest work';
  const came = { accepted: 'accepted', rejected: 'refused', needs_human: 'a question' }[result.decision];
  return `${result.right ? '✓' : '✗'} ${name}: ${came}${result.reasons.length === 0 ? '' : ` (${result.reasons.join(', ')})`}, ${result.title}`;
}

function conclusion(check: SelfCheck): string[] {
  if (check.state === 'sound') return [`✓ verification holds in this set-up: ${check.detail}`];
  if (check.state === 'unsound')
    return [`✗ ${check.detail}`, '    unattended runs ask first: harness run --until-done, then harness answer project.self-check OPTION'];
  if (check.state === 'not_ready') return [`✗ nothing could be tried, so no claim could be accepted: ${check.detail}`];
  return [
    `! ${check.detail}; cheating of these kinds can get through: ${check.unheld.join(', ')}`,
    '    before the first unattended run a person is asked once',
  ];
}
