/** `harness mcp`: serves the project to a host, over standard input and output, until the host closes them. */
import { EXIT } from '../../domain/reasons.ts';
import type { HarnessEvent } from '../../domain/event.ts';
import { programFor } from '../../mcp/program.ts';
import { serve } from '../../mcp/server.ts';
import type { Command } from '../command.ts';
import { createPaint } from '../paint.ts';
import { renderText } from '../render-text.ts';

export const run: Command = async ({ platform, root, signal }) => {
  const program = programFor(platform, root, [process.execPath, process.argv[1] ?? '']);
  await serve({ platform, program, describe }, process.stdin, signal);
  return { exitCode: EXIT.done };
};

const plain = createPaint(false);

/** Its first line; an event that this version does not know has none. */
function describe(event: Record<string, unknown>): string {
  try {
    return (renderText(event as unknown as HarnessEvent, plain, { quiet: false, width: 200 })[0] ?? '').trim();
  } catch {
    return '';
  }
}
