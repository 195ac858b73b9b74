/** Prompts as the SDK wants them: a stream that stays open between turns and ends with the conversation. */
import type { UserMessage } from './sdk-shape.ts';

export interface PromptStream {
  messages: AsyncIterable<UserMessage>;
  push(text: string): void;
  end(): void;
}

export function promptStream(): PromptStream {
  const waiting: UserMessage[] = [];
  let ended = false;
  let wake: (() => void) | undefined;

  async function* deliver(): AsyncGenerator<UserMessage> {
    while (true) {
      const next = waiting.shift();
      if (next !== undefined) yield next;
      else if (ended) return;
      else await new Promise<void>((resolve) => (wake = resolve));
    }
  }

  return {
    messages: { [Symbol.asyncIterator]: deliver },
    push: (text) => {
      waiting.push({ type: 'user', message: { role: 'user', content: text }, parent_tool_use_id: null });
      wake?.();
    },
    end: () => {
      ended = true;
      wake?.();
    },
  };
}
