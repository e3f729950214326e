import OpenAI, { APIConnectionError, APIError } from 'openai';
import type {
  ChatCompletion,
  ChatCompletionChunk,
  ChatCompletionCreateParamsNonStreaming,
  ChatCompletionFunctionTool,
  ChatCompletionMessageParam,
} from 'openai/resources/chat/completions';
import type { CompletionUsage } from 'openai/resources/completions';
import { faultCodeOf, ProviderFault } from '../failures.js';
import { retryAfterMs } from '../retry-after.js';
import {
  type ChatModel,
  type ChatModelAnswer,
  type ChatModelRequest,
  ModelBusy,
  type ModelMessage,
  ModelRefused,
  type ModelTool,
  type ModelToolCall,
  ModelUnusable,
  type ModelUsage,
} from './chat-model.js';

export interface OpenAiChatModelOptions {
  apiKey: string;
  /** Any base URL with the same protocol, including its `/v1`. */
  baseUrl?: string | undefined;
  /** Time limit for the whole answer, streamed or not. */
  timeoutMs?: number;
}

/** A chat model through the `openai` package, with the package's own retries and logs off. */
export class OpenAiChatModel implements ChatModel {
  readonly #client: OpenAI;
  readonly #timeoutMs: number;

  constructor({ apiKey, baseUrl, timeoutMs = 90_000 }: OpenAiChatModelOptions) {
    this.#timeoutMs = timeoutMs;
    const own = { maxRetries: 0, timeout: timeoutMs, logLevel: 'off' } as const;
    this.#client = new OpenAI({ apiKey, ...own, ...(baseUrl === undefined ? {} : { baseURL: baseUrl }) });
  }

  async complete(request: ChatModelRequest): Promise<ChatModelAnswer> {
    request.signal?.throwIfAborted();
    // The package's own timeout ends with the response headers; this one covers the body as well.
    const deadline = AbortSignal.timeout(this.#timeoutMs);
    const signal = request.signal ? AbortSignal.any([request.signal, deadline]) : deadline;
    try {
      return await this.#ask(request, signal);
    } catch (error) {
      request.signal?.throwIfAborted();
      if (deadline.aborted) throw new ModelBusy('timeout');
      throw toModelError(error);
    }
  }

  async #ask(request: ChatModelRequest, signal: AbortSignal): Promise<ChatModelAnswer> {
    const body: ChatCompletionCreateParamsNonStreaming = {
      ...request.config,
      model: request.model,
      messages: request.messages.map(toOpenAiMessage),
      // The API refuses an empty list of tools.
      ...(request.tools.length === 0 ? {} : { tools: request.tools.map(toOpenAiTool) }),
      stream: false,
    };
    const { onToken } = request;
    if (onToken === undefined) {
      return readCompletion(await this.#client.chat.completions.create(body, { signal }));
    }
    const stream = await this.#client.chat.completions.create(
      { ...body, stream: true, stream_options: { include_usage: true } },
      { signal },
    );
    return readCompletionStream(stream, onToken);
  }
}

function toOpenAiMessage(message: ModelMessage): ChatCompletionMessageParam {
  if (message.role === 'tool') {
    return { role: 'tool', tool_call_id: message.toolCallId, content: message.content };
  }
  if (message.role !== 'assistant') return message;
  const toolCalls = message.toolCalls ?? [];
  if (toolCalls.length === 0) return { role: 'assistant', content: message.content };
  return {
    role: 'assistant',
    content: message.content,
    tool_calls: toolCalls.map(({ id, name, arguments: args }) => ({
      id,
      type: 'function',
      function: { name, arguments: args },
    })),
  };
}

function toOpenAiTool({ name, description, parameters }: ModelTool): ChatCompletionFunctionTool {
  return { type: 'function', function: { name, description, parameters } };
}

/** Reads an answer that is not streamed. A refusal in words counts as an answer, which the person should read. */
function readCompletion(completion: ChatCompletion): ChatModelAnswer {
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
async function readCompletionStream(
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
  const audioInputTokens = usage?.prompt_tokens_details?.audio_tokens ?? 0;
  const audioOutputTokens = usage?.completion_tokens_details?.audio_tokens ?? 0;
  return {
    promptTokens: usage?.prompt_tokens ?? 0,
    completionTokens: usage?.completion_tokens ?? 0,
    cachedTokens: usage?.prompt_tokens_details?.cached_tokens ?? 0,
    totalTokens: usage?.total_tokens ?? 0,
    ...(audioInputTokens + audioOutputTokens === 0 ? {} : { audioInputTokens, audioOutputTokens }),
  };
}

/** The package's error is not kept as a cause, because it can quote the conversation. */
function toModelError(error: unknown): Error {
  if (error instanceof ModelBusy || error instanceof ModelRefused) return error;
  const fault = faultCodeOf(error);
  if (fault !== undefined) return new ProviderFault('model', fault);
  if (error instanceof APIConnectionError) {
    return new ModelBusy(isUnconnected(error) ? 'connection' : 'connection_lost');
  }
  // A truncated or invalid body surfaces as any error of the parser or the socket.
  if (!(error instanceof APIError)) return new ModelBusy('unreadable_answer');
  const { status } = error;
  const code = codeOf(error);
  // An error in mid-stream has no status.
  if (status === undefined) return new ModelBusy(code ?? 'stream_error');
  const told = code ?? `http_${status}`;
  if (code === 'model_not_found') return new ModelUnusable(code, false);
  if (accountStatuses.has(status) || accountCodes.has(told)) return new ModelUnusable(told, true);
  if (status === 408 || status === 409 || status === 429 || status >= 500) {
    return new ModelBusy(`http_${status}`, retryAfterMs(error.headers?.get('retry-after')));
  }
  return new ModelRefused(told, status);
}

/** Codes of causes that prove that no connection came about, so that the request was not sent. */
const unconnectedCodes: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  // The provider's certificate is not accepted.
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/** Other causes, such as `ECONNRESET`, also come after the request was sent. */
function isUnconnected(error: Error): boolean {
  for (let cause = error.cause; cause instanceof Error; cause = cause.cause) {
    if ('code' in cause && unconnectedCodes.has(cause.code)) return true;
  }
  return false;
}

/** A wrong key, an account without funds or permission, or, if no model is named, a wrong base URL. */
const accountStatuses: ReadonlySet<number> = new Set([401, 402, 403, 404]);
const accountCodes: ReadonlySet<string> = new Set([
  'insufficient_quota',
  'billing_hard_limit_reached',
  'billing_not_active',
  'account_deactivated',
]);

/** The provider's code if it has the form of one. The error's text is not used: it can quote the conversation. */
function codeOf({ code }: APIError): string | undefined {
  return typeof code === 'string' && /^[a-z][a-z0-9_]{0,63}$/.test(code) ? code : undefined;
}
