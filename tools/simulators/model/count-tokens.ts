import type { Answer, CompletionRequest, Message } from './protocol.js';

/** The token usage of a completion, in the format of the real service. */
export interface Usage {
  prompt_tokens: number;
  completion_tokens: number;
  total_tokens: number;
  prompt_tokens_details: { cached_tokens: number };
  completion_tokens_details: { reasoning_tokens: number };
}

/**
 * Counts four characters as a token, which is close to real tokenizers and deterministic. The system messages count
 * as cached, in whole blocks of 128 tokens.
 */
export function countTokens(request: CompletionRequest, answer: Answer): Usage {
  const system = request.messages.filter(({ role }) => role === 'system');
  const cached = Math.floor(sum(system.map(messageTokens)) / 128) * 128;
  const prompt = sum(request.messages.map(messageTokens)) + tokens(JSON.stringify(request.tools));
  const completion =
    tokens(answer.content ?? '') +
    sum(answer.toolCalls.map((call) => tokens(call.name) + tokens(call.arguments)));
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: { cached_tokens: cached },
    completion_tokens_details: { reasoning_tokens: 0 },
  };
}

function messageTokens(message: Message): number {
  const calls = message.role === 'assistant' ? message.toolCalls : [];
  return 3 + tokens(message.text) + sum(calls.map((call) => tokens(call.name) + tokens(call.arguments)));
}

function tokens(text: string): number {
  return Math.ceil(text.length / 4);
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
