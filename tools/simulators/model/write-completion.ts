import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { openEventStream } from '../support/serve.js';
import type { Answer, CompletionRequest, Message } from './protocol.js';

export function completionOf(request: CompletionRequest, answer: Answer): Record<string, unknown> {
  const { content, toolCalls } = answer;
  return {
    ...envelope(request, 'chat.completion'),
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content,
          refusal: null,
          ...(toolCalls.length === 0 ? {} : { tool_calls: toolCalls.map(toolCallOf) }),
        },
        logprobs: null,
        finish_reason: finishReasonOf(answer),
      },
    ],
    usage: countTokens(request, answer),
  };
}

/** The answer as a stream of chunks: text word by word, a call's arguments in pieces, usage last. */
export async function streamCompletion(
  response: ServerResponse,
  request: CompletionRequest,
  answer: Answer,
  options: { tokenDelayMs: number; dropAfter: number | undefined; gone: AbortSignal },
): Promise<void> {
  const { tokenDelayMs, dropAfter, gone } = options;
  const head = envelope(request, 'chat.completion.chunk');
  const usage = request.includeUsage ? { usage: null } : {};
  const chunk = (delta: unknown, finish_reason: string | null) => ({
    ...head,
    choices: [{ index: 0, delta, logprobs: null, finish_reason }],
    ...usage,
  });
  const chunks: unknown[] = [
    ...deltasOf(answer).map((delta) => chunk(delta, null)),
    chunk({}, finishReasonOf(answer)),
    ...(request.includeUsage ? [{ ...head, choices: [], usage: countTokens(request, answer) }] : []),
  ];
  openEventStream(response);
  for (const [index, one] of chunks.entries()) {
    if (gone.aborted) return;
    if (index === dropAfter) {
      response.destroy();
      return;
    }
    response.write(`data: ${JSON.stringify(one)}\n\n`);
    if (tokenDelayMs > 0) await delay(tokenDelayMs);
  }
  response.end('data: [DONE]\n\n');
}

function deltasOf({ content, toolCalls }: Answer): unknown[] {
  const text = content?.match(/\S+\s*|\s+/g) ?? [];
  return [
    { role: 'assistant', content: toolCalls.length > 0 ? null : '', refusal: null },
    ...text.map((piece) => ({ content: piece })),
    ...toolCalls.flatMap((toolCall, index) => {
      const { id, type, function: fn } = toolCallOf(toolCall);
      const pieces = fn.arguments.match(/[\s\S]{1,12}/g) ?? [];
      return [
        { tool_calls: [{ index, id, type, function: { name: fn.name, arguments: '' } }] },
        ...pieces.map((piece) => ({ tool_calls: [{ index, function: { arguments: piece } }] })),
      ];
    }),
  ];
}

function toolCallOf(toolCall: Answer['toolCalls'][number]) {
  return { id: `call_${randomUUID().replaceAll('-', '')}`, type: 'function', function: toolCall };
}

function finishReasonOf({ toolCalls }: Answer): 'tool_calls' | 'stop' {
  return toolCalls.length > 0 ? 'tool_calls' : 'stop';
}

function envelope(request: CompletionRequest, object: string): Record<string, unknown> {
  return {
    id: `chatcmpl-${randomUUID()}`,
    object,
    created: Math.floor(Date.now() / 1000),
    model: request.model,
    system_fingerprint: null,
  };
}

/** Four characters are a token; of the system messages, whole blocks of 128 tokens count as cached. */
function countTokens(request: CompletionRequest, answer: Answer) {
  const system = request.messages.filter(({ role }) => role === 'system');
  const cached = Math.floor(sum(system.map(messageTokens)) / 128) * 128;
  const prompt = sum(request.messages.map(messageTokens)) + tokens(JSON.stringify(request.tools));
  const completion = tokens(answer.content ?? '') + callTokens(answer.toolCalls);
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: { cached_tokens: cached },
    completion_tokens_details: { reasoning_tokens: 0 },
  };
}

function messageTokens(message: Message): number {
  return 3 + tokens(message.text) + (message.role === 'assistant' ? callTokens(message.toolCalls) : 0);
}

function callTokens(calls: Answer['toolCalls']): number {
  return sum(calls.map((call) => tokens(call.name) + tokens(call.arguments)));
}

function tokens(text: string): number {
  return Math.ceil(text.length / 4);
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
