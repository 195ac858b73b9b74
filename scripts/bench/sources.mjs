// The product's own functions, bundled from src/ so that a benchmark can call them without a command around them.
import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { programsAsText, TEXTS } from '../text-assets.mjs';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
export const HARNESS = join(ROOT, 'bin', 'harness.js');

const EXPORTS = `
  export { nodePlatform } from './src/platform/node-platform.ts';
  export { asWriter } from './src/flows/project/open.ts';
  export { run } from './src/flows/project/run.ts';
  export { judgeCandidate } from './src/kernel/flight/judge-candidate.ts';
  export { briefAtBase } from './src/flows/project/brief.ts';
  export { newFlight } from './src/flows/project/machine/document.ts';
  export { planSession } from './src/flows/project/machine/plan-session.ts';
  export { readBaseline } from './src/kernel/flight/memory-files.ts';
  export { readTrusted } from './src/flows/project/list/trusted.ts';
  export { prepareWorkspace } from './src/workspace/agent-copy.ts';
  export { captureWorkspace } from './src/workspace/capture.ts';
  export { createCleanRooms } from './src/workspace/clean-room.ts';
  export { findCycles, parseFeatureList } from './src/flows/project/list/feature-list.ts';
  export { nextFeature, blockedBy } from './src/flows/project/machine/next-feature.ts';
  export { estimateTokens, orientation } from './src/prompts/orientation.ts';
  export { openJournal } from './src/journal/journal.ts';
  export { queryJournal } from './src/journal/query.ts';
  export { scriptedModel } from './src/agents/scripted/scripted-model.ts';
  export { openProject } from './src/verify/test-support-projects.ts';
  export { startScriptedServer } from './src/agents/scripted/server.ts';
`;

/** As deep as the sources lie, so that what they find beside themselves is found. */
export function bundledAt(scratch) {
  return join(scratch, 'sources', 'src', 'verify', 'sources.mjs');
}

export async function loadSources(scratch) {
  const outdir = join(scratch, 'sources');
  const outfile = bundledAt(scratch);
  await build({
    absWorkingDir: ROOT,
    stdin: { contents: EXPORTS, resolveDir: ROOT, loader: 'ts' },
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    external: ['@anthropic-ai/claude-agent-sdk', '@agentclientprotocol/sdk'],
    loader: TEXTS,
    plugins: [programsAsText],
    banner: { js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);" },
    logLevel: 'error',
  });
  await writeFile(join(outdir, 'package.json'), '{"type":"module"}');
  await symlink(join(ROOT, 'node_modules'), join(outdir, 'node_modules'));
  return import(pathToFileURL(outfile).href);
}
