import OpenAI, { APIConnectionError, APIError } from 'openai';
import type {
  ChatCompletionCreateParamsNonStreaming,
  ChatCompletionFunctionTool,
  ChatCompletionMessageParam,
} from 'openai/resources/chat/completions';
import { retryAfterMs } from '../retry-after.js';
import {
  type ChatModel,
  type ChatModelAnswer,
  type ChatModelRequest,
  ModelBusy,
  type ModelMessage,
  ModelRefused,
  type ModelTool,
  ModelUnusable,
} from './chat-model.js';
import { readCompletion, readCompletionStream } from './read-completion.js';

export interface OpenAiChatModelOptions {
  apiKey: string;
  /** Any base URL with the same protocol, including its `/v1`. */
  baseUrl?: string;
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

/** The package's error is not kept as a cause, because it can quote the conversation. */
function toModelError(error: unknown): Error {
  if (error instanceof ModelBusy || error instanceof ModelRefused) return error;
  if (error instanceof APIConnectionError) return new ModelBusy('connection');
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
