/** The part of OpenAI's chat completions API that the simulator supports. */
export interface CompletionRequest {
  model: string;
  messages: Message[];
  tools: Tool[];
  stream: boolean;
  includeUsage: boolean;
}

export type Message =
  | { role: 'system' | 'user'; text: string }
  | { role: 'assistant'; text: string; toolCalls: ToolCall[] }
  | { role: 'tool'; toolCallId: string; text: string };

export interface ToolCall {
  id: string;
  name: string;
  arguments: string;
}

export interface Tool {
  name: string;
  description: string;
  parameters: Record<string, unknown>;
}

export interface Answer {
  content: string | null;
  toolCalls: { name: string; arguments: string }[];
}

export function say(content: string): Answer {
  return { content, toolCalls: [] };
}

export function call(name: string, args: Record<string, unknown>): Answer {
  return { content: null, toolCalls: [{ name, arguments: JSON.stringify(args) }] };
}
