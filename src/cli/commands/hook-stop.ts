/** `harness hook stop`: what Claude Code and Codex call when a session begins and when it wants to end. It never fails: a hook that breaks would be in the way. */
import { z } from '../../domain/zod.ts';
import { EXIT } from '../../domain/reasons.ts';
import { answerStop, type StopAnswer, type StopCall } from '../../kernel/change/stop.ts';
import type { Command, CommandContext } from '../command.ts';
import { numberOption } from '../options.ts';

const CallSchema = z.object({
  session_id: z.string().min(1).max(500),
  cwd: z.string().optional(),
  hook_event_name: z.string(),
  stop_hook_active: z.boolean().optional(),
});

/** Within the time that the host gives it. */
const SECONDS = 240;
/** Below the host's own limit of nine. */
const BLOCKS = 3;

export const run: Command = async (context) => {
  context.output.object(hostAnswer(await answerOf(context)), '');
  return { exitCode: EXIT.done };
};

async function answerOf({ platform, cwd, options, input, signal }: CommandContext): Promise<StopAnswer> {
  // An agent of the harness is judged by the harness that started it.
  if (Number(platform.env['HARNESS_DEPTH'] ?? 0) > 0) return null;
  const call = readCall(await input(), cwd);
  if (call === null) return null;
  const limits = { seconds: numberOption(options, 'within') ?? SECONDS, blocks: numberOption(options, 'blocks') ?? BLOCKS, signal };
  return await answerStop(platform, call, limits).catch((error: unknown) => {
    const why = error instanceof Error ? error.message : String(error);
    return { blocked: false, message: `The Stop hook of the harness failed, so nothing was judged: ${why}` };
  });
}

function readCall(text: string, cwd: string): StopCall | null {
  try {
    const call = CallSchema.parse(JSON.parse(text));
    const event = call.hook_event_name === 'SessionStart' ? 'start' : call.hook_event_name === 'Stop' ? 'stop' : null;
    return event === null ? null : { session: call.session_id, cwd: call.cwd ?? cwd, event, active: call.stop_hook_active === true };
  } catch {
    return null;
  }
}

/** JSON with exit 0, in the words that both hosts know. */
function hostAnswer(answer: StopAnswer): object {
  if (answer === null || answer.message === '') return {};
  return answer.blocked ? { decision: 'block', reason: answer.message } : { systemMessage: answer.message };
}
