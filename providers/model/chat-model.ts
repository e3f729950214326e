import { ProviderBusy, ProviderRefused, ProviderUnusable } from '../failures.js';

export type ModelContentPart =
  | { type: 'text'; text: string }
  | { type: 'image_url'; image_url: { url: string; detail?: 'auto' | 'low' | 'high' } }
  | { type: 'input_audio'; input_audio: { data: string; format: 'wav' | 'mp3' } }
  | { type: 'file'; file: { file_id?: string; file_data?: string; filename?: string } };

export interface ModelToolCall {
  id: string;
  name: string;
  /** JSON as the model wrote it. It may be invalid, or may not match the tool's parameters. */
  arguments: string;
}

export type ModelMessage =
  | { role: 'system'; content: string }
  | { role: 'user'; content: string | ModelContentPart[] }
  | { role: 'assistant'; content: string | null; toolCalls?: ModelToolCall[] }
  | { role: 'tool'; toolCallId: string; content: string };

export interface ModelTool {
  name: string;
  description: string;
  parameters: Record<string, unknown>;
}

export interface ModelUsage {
  promptTokens: number;
  completionTokens: number;
  /** The part of `promptTokens` that the model read from its cache. */
  cachedTokens: number;
  totalTokens: number;
  /** The parts of the prompt's and the completion's tokens that are sound; absent without any. */
  audioInputTokens?: number;
  audioOutputTokens?: number;
}

export interface ChatModelRequest {
  model: string;
  messages: ModelMessage[];
  tools: ModelTool[];
  config?: Record<string, unknown>;
  /** Aborting it rejects the call with the signal's reason. */
  signal?: AbortSignal;
  /** If given, the answer is streamed, and this is called with every piece of its text. */
  onToken?: (text: string) => void;
}

export interface ChatModelAnswer {
  content: string | null;
  toolCalls: ModelToolCall[];
  usage: ModelUsage;
  /** The model that answered; providers resolve aliases. */
  model: string;
}

/** A chat model. It never retries: the durable runs decide about that. */
export interface ChatModel {
  /** @throws ModelBusy to try again later, ModelUnusable until the account is fixed, ModelRefused for good */
  complete(request: ChatModelRequest): Promise<ChatModelAnswer>;
}

export class ModelBusy extends ProviderBusy {
  /** @param code such as `http_429`, `timeout`, `connection` (there was none), `connection_lost` */
  constructor(code: string, retryAfterMs?: number) {
    super('model', code, retryAfterMs);
  }
}

/** The provider rejects this request permanently. The message never quotes the conversation. */
export class ModelRefused extends ProviderRefused {
  /** @param code the provider's code, such as `context_length_exceeded`, or `http_<status>` */
  constructor(
    code: string,
    readonly status: number,
  ) {
    super('model', code, `The model refused the request with code ${code} (HTTP ${status}).`);
  }
}

/** The key is wrong, the account is closed, its quota is used up, or it has no access to the model. */
export class ModelUnusable extends ProviderUnusable {
  /** @param wholeAccount false if other models may answer */
  constructor(code: string, wholeAccount: boolean) {
    super('model', code, { wholeAccount });
  }
}

/** Answers of a gateway that had passed the request on: the provider may have worked. */
const lostByGateway: ReadonlySet<string> = new Set([
  'http_408',
  'http_502',
  'http_504',
  'http_520',
  'http_524',
]);

/** Whether the provider may charge for a failed call whose request was handed to it: it may have begun to answer. */
export function mayHaveCost(error: unknown): boolean {
  if (error instanceof ModelRefused) return error.status === 200;
  if (error instanceof ProviderUnusable) return false;
  // Nothing is charged where no connection came about, and for answers with an error's status of the provider.
  if (error instanceof ProviderBusy) {
    const { provider, code } = error;
    const isRefusal = code === 'connection' || (code.startsWith('http_') && !lostByGateway.has(code));
    return provider === 'model' && !isRefusal;
  }
  return true;
}
