/** The Messages API as far as the built-in loop uses it. */
import type { Anthropic } from '@anthropic-ai/sdk';

export type Block = Anthropic.ContentBlockParam;
export interface Message {
  role: 'user' | 'assistant';
  content: Block[];
}
export type TextBlock = Anthropic.TextBlockParam;
export type ToolUse = Anthropic.ToolUseBlockParam;
export type ToolResult = Anthropic.ToolResultBlockParam;
export type StreamEvent = Anthropic.RawMessageStreamEvent;
export type ToolDefinition = Anthropic.Tool;
export type StreamingRequest = Anthropic.MessageCreateParamsStreaming;

/** The one call of the client library that the loop makes. */
export type SendRequest = (request: StreamingRequest, signal: AbortSignal) => Promise<AsyncIterable<StreamEvent>>;
