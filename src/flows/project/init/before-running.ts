/** What a person decides before anything of a repository runs. */
import { HarnessError } from '../../../domain/errors.ts';
import { EXIT } from '../../../domain/reasons.ts';
import { isChosen, projectGate } from '../../../gates/project-gates.ts';
import {
  agentWishes,
  allowSources,
  allowUnconfined,
  grantToAgents,
  installAtHead,
  whyUnconfined,
} from '../../../kernel/founding/install-consent.ts';
import type { Asker } from '../people/asker.ts';
import type { Project } from '../project.ts';

type Installed = Awaited<ReturnType<typeof installAtHead>>;

/** Ends the command where the answer is no, or has to be waited for. What the try to install came to, unless a yes has changed it. */
export async function askBeforeRunning(platform: Project['platform'], root: string, asker: Asker): Promise<Installed> {
  const why = await whyUnconfined(platform, root);
  if (why !== null) {
    const answer = await asker.ask(projectGate('project.unconfined', { why }));
    if (answer === 'pending') throw waiting('project.unconfined');
    if (!isChosen('project.unconfined', 'Run', answer))
      throw declined('Nothing of this repository was run.', 'harness doctor says how to get a sandbox.');
    await allowUnconfined(platform, root);
  }
  await askAboutAgents(platform, root, asker);
  const installed = await installAtHead(platform, root);
  const sources = installed?.failure?.asked ?? [];
  if (sources.length === 0) return installed;
  const answer = await asker.ask(projectGate('project.sources', { sources }));
  if (answer === 'pending') throw waiting('project.sources');
  if (!isChosen('project.sources', 'Allow', answer))
    throw declined('The dependencies were not installed.', `They come from ${sources.join(', ')}.`);
  await allowSources(platform, sources);
  return null;
}

/** Nothing waits for the answer: agents work without what is not allowed. */
async function askAboutAgents(platform: Project['platform'], root: string, asker: Asker): Promise<void> {
  const wishes = (await asker.expects?.('project.agent')) === true ? await agentWishes(platform, root) : null;
  if (wishes === null) return;
  const { env, command, mcp_servers: servers, network } = wishes;
  const answer = await asker.ask(projectGate('project.agent', { env, command, servers, network }));
  if (answer !== 'pending' && isChosen('project.agent', 'Allow', answer)) await grantToAgents(platform, root, wishes);
}

function declined(message: string, detail: string): HarnessError {
  return new HarnessError(message, { exitCode: EXIT.preflight, reasons: ['env.dependencies_failed'], details: [detail] });
}

function waiting(gate: string): HarnessError {
  return new HarnessError('Nothing was set up yet: a question waits.', {
    exitCode: EXIT.waiting,
    reasons: ['gate.pending'],
    details: [`Answer it with harness answer ${gate} <option>, then run the command again. harness gates shows it.`],
  });
}
