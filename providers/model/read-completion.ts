import type { ChatCompletion, ChatCompletionChunk } from 'openai/resources/chat/completions';
import type { CompletionUsage } from 'openai/resources/completions';
import {
  type ChatModelAnswer,
  ModelBusy,
  ModelRefused,
  type ModelToolCall,
  type ModelUsage,
} from './chat-model.js';

/** Reads an answer that is not streamed. A refusal in words counts as an answer, which the person should read. */
export function readCompletion(completion: ChatCompletion): ChatModelAnswer {
  const choice = completion.choices?.[0];
  if (choice === undefined) throw new ModelBusy('no_choice');
  checkFinish(choice.finish_reason);
  const toolCalls = (choice.message.tool_calls ?? []).flatMap((call) =>
    call.type === 'function'
      ? [{ id: call.id, name: call.function.name, arguments: call.function.arguments }]
      : [],
  );
  return {
    content: choice.message.content || choice.message.refusal || null,
    toolCalls,
    usage: readUsage(completion.usage),
    model: completion.model,
  };
}

/** Reads a streamed answer and passes its text on as it arrives. @throws ModelBusy when the stream ends too early */
export async function readCompletionStream(
  stream: AsyncIterable<ChatCompletionChunk>,
  onToken: (text: string) => void,
): Promise<ChatModelAnswer> {
  let text = '';
  let model = '';
  let usage: CompletionUsage | null | undefined;
  let finishReason: string | null = null;
  const toolCalls: ModelToolCall[] = [];

  for await (const chunk of stream) {
    model = chunk.model || model;
    usage = chunk.usage ?? usage;
    const choice = chunk.choices[0];
    if (choice === undefined) continue;
    finishReason = choice.finish_reason ?? finishReason;
    const piece = choice.delta.content || choice.delta.refusal;
    if (piece) {
      text += piece;
      onToken(piece);
    }
    for (const part of choice.delta.tool_calls ?? []) {
      toolCalls[part.index] ??= { id: '', name: '', arguments: '' };
      const call = toolCalls[part.index] as ModelToolCall;
      call.id ||= part.id ?? '';
      call.name ||= part.function?.name ?? '';
      call.arguments += part.function?.arguments ?? '';
    }
  }

  if (finishReason === null) throw new ModelBusy('incomplete_stream');
  checkFinish(finishReason);
  return { content: text || null, toolCalls: toolCalls.filter(Boolean), usage: readUsage(usage), model };
}

function checkFinish(reason: string): void {
  if (reason === 'content_filter') throw new ModelRefused('content_filter', 200);
}

/** Some compatible servers report no usage; it then counts as zero. */
function readUsage(usage: CompletionUsage | null | undefined): ModelUsage {
  return {
    promptTokens: usage?.prompt_tokens ?? 0,
    completionTokens: usage?.completion_tokens ?? 0,
    cachedTokens: usage?.prompt_tokens_details?.cached_tokens ?? 0,
    totalTokens: usage?.total_tokens ?? 0,
  };
}
