import { isObject, objectWith } from '../support/read-json.js';
import { HttpFailure } from '../support/serve.js';
import type { CompletionRequest } from './protocol.js';

const REPLY_FIELDS = ['content', 'toolCalls', 'status', 'headers', 'error', 'delayMs', 'hold'] as const;

/** An answer that a test has scripted; its fields are described in `tools/simulators/README.md`. */
export interface ScriptedReply {
  content?: string;
  toolCalls?: { name: string; arguments: unknown }[];
  status?: number;
  headers?: Record<string, string>;
  error?: string;
  delayMs?: number;
  hold?: boolean;
}

export class ScriptQueue {
  #scripts: { contains: string | undefined; replies: ScriptedReply[] }[] = [];

  /** Adds `{match?: {contains}, replies}`. */
  add(body: unknown): void {
    const { match, replies } = objectWith(body, ['match', 'replies']);
    if (!Array.isArray(replies) || replies.length === 0) {
      throw new HttpFailure(400, { error: 'replies has to be a list that is not empty.' });
    }
    const contains = match === undefined ? undefined : objectWith(match, ['contains']).contains;
    this.#scripts.push({
      contains: typeof contains === 'string' ? contains : undefined,
      replies: replies.map((reply: unknown) => objectWith(reply, REPLY_FIELDS) as ScriptedReply),
    });
  }

  clear(): void {
    this.#scripts = [];
  }

  take(request: CompletionRequest): ScriptedReply | undefined {
    const script = this.#scripts.find(
      ({ contains, replies }) =>
        replies.length > 0 && (contains === undefined || mentions(request, contains)),
    );
    return script?.replies.shift();
  }
}

export function mentions(request: CompletionRequest, text: string): boolean {
  return request.messages.some(
    (message) =>
      message.text.includes(text) ||
      (message.role === 'assistant' && message.toolCalls.some((call) => call.arguments.includes(text))),
  );
}

/** The arguments as text. A test gives an object, or a text, which may be invalid JSON. */
export function argumentsText(value: unknown): string {
  if (typeof value === 'string') return value;
  return JSON.stringify(isObject(value) ? value : {});
}
