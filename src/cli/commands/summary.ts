/** `harness summary`: what the sessions since a time came to, for the project, the mission, the last workflow and the workers of this directory. */
import { join } from 'node:path';
import { CONFIG_FILE, loadConfig } from '../../config/read-config.ts';
import { EXIT } from '../../domain/reasons.ts';
import { readMissionSummary } from '../../flows/mission/people/summary.ts';
import { readPast } from '../../flows/project/look/past.ts';
import { summarise } from '../../flows/project/look/summary.ts';
import { openProject } from '../../flows/project/project.ts';
import { workerSummaries } from '../../flows/worker/look.ts';
import { readWorkflowSummary } from '../../flows/workflow/people/summary.ts';
import { openHistory } from '../../journal/history.ts';
import { openDocuments } from '../../kernel/documents/documents.ts';
import type { Command, CommandContext } from '../command.ts';
import { textOption } from '../options.ts';
import { sinceOption } from '../since-option.ts';
import { missionSummaryLines, summaryLines } from '../summary-lines.ts';
import { workerLines } from '../worker-text.ts';
import { workflowSummaryLines } from '../workflow-summary-lines.ts';

interface Part {
  report: object;
  lines: string[];
}

export const run: Command = async (context) => {
  const { output, options, platform } = context;
  const since = sinceOption(textOption(options, 'since'), platform.clock.now());
  const flows = await flowParts(context, since);
  const project = flows.length === 0 || (await hasList(context)) ? await projectPart(context, since) : null;
  const parts = [...(project === null ? [] : [project]), ...flows];
  output.object(Object.assign({}, ...parts.map(({ report }) => report)), parts.map(({ lines }) => lines.join('\n')).join('\n\n'));
  return { exitCode: EXIT.done };
};

async function projectPart({ platform, root, output }: CommandContext, since: string | null): Promise<Part> {
  const past = await readPast(await openProject(platform, root, { emit: output.emit, journal: false }));
  const report = summarise(past, since);
  return { report, lines: summaryLines(report) };
}

async function hasList({ platform, root }: CommandContext): Promise<boolean> {
  if (!(await platform.files.exists(join(root, CONFIG_FILE)))) return false;
  const { config } = await loadConfig(platform, root);
  return await platform.files.exists(join(root, config.paths.features));
}

/** A mission and a workflow need no feature list, and a workflow and workers no settings either. */
async function flowParts({ platform, store }: CommandContext, since: string | null): Promise<Part[]> {
  const documents = openDocuments(platform, store, { onNewerState: 'warn' });
  const place = { documents, history: openHistory(platform, documents.where('logs')) };
  const mission = await readMissionSummary(place, since);
  const workflow = await readWorkflowSummary(place);
  const workers = await workerSummaries(platform, store.where(), since);
  const isIn = since === null || Date.parse(workflow?.until ?? workflow?.since ?? since) >= Date.parse(since);
  return [
    ...(mission === null ? [] : [{ report: { mission }, lines: missionSummaryLines(mission) }]),
    ...(workflow === null || !isIn ? [] : [{ report: { workflow }, lines: workflowSummaryLines(workflow) }]),
    ...(workers.length === 0 ? [] : [{ report: { workers }, lines: workerLines(workers) }]),
  ];
}
