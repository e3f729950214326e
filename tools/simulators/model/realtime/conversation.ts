import type { Message } from '../protocol.js';

/** An item of a conversation. `soundMs` is how much of its sound there is. */
export type Item =
  | { id: string; type: 'message'; role: 'system' | 'user' | 'assistant'; text: string; soundMs: number }
  | { id: string; type: 'function_call'; callId: string; name: string; arguments: string }
  | { id: string; type: 'function_call_output'; callId: string; output: string };

/** What the model knows of a session, in its order. */
export class Conversation {
  #items: Item[] = [];
  #count = 0;

  /** The id of the newest item. */
  get lastId(): string | null {
    return this.#items.at(-1)?.id ?? null;
  }

  nextId(): string {
    this.#count += 1;
    return `item_${this.#count}_${Math.random().toString(36).slice(2, 10)}`;
  }

  add(item: Item): void {
    this.#items.push(item);
  }

  find(id: unknown): Item | undefined {
    return this.#items.find((item) => item.id === id);
  }

  remove(id: string): void {
    this.#items = this.#items.filter((item) => item.id !== id);
  }

  hasCall(callId: unknown): boolean {
    return this.#items.some((item) => item.type === 'function_call' && item.callId === callId);
  }

  hasOutput(callId: unknown): boolean {
    return this.#items.some((item) => item.type === 'function_call_output' && item.callId === callId);
  }

  /** The conversation in the form in which the walk reads it. A call without an output is left out, as are empty words. */
  messages(instructions: string): Message[] {
    return [
      { role: 'system', text: instructions },
      ...this.#items.flatMap((item): Message[] => {
        if (item.type === 'function_call_output') return [];
        if (item.type === 'message') {
          const { role, text } = item;
          if (text === '') return [];
          return role === 'assistant' ? [{ role, text, toolCalls: [] }] : [{ role, text }];
        }
        const output = this.#items.find(
          (one) => one.type === 'function_call_output' && one.callId === item.callId,
        );
        if (output?.type !== 'function_call_output') return [];
        const { callId: id, name, arguments: args } = item;
        return [
          { role: 'assistant', text: '', toolCalls: [{ id, name, arguments: args }] },
          { role: 'tool', toolCallId: id, text: output.output },
        ];
      }),
    ];
  }
}

export function shownItem(item: Item, status: 'completed' | 'incomplete' | 'in_progress' = 'completed') {
  const object = 'realtime.item';
  if (item.type === 'message') {
    const { id, role, text, soundMs } = item;
    const own = role === 'assistant' ? 'output' : 'input';
    const part = soundMs > 0 ? { type: `${own}_audio`, transcript: text } : { type: `${own}_text`, text };
    return { id, object, type: item.type, status, role, content: status === 'in_progress' ? [] : [part] };
  }
  if (item.type === 'function_call') {
    const { id, type, callId, name } = item;
    const args = status === 'in_progress' ? '' : item.arguments;
    return { id, object, type, status, call_id: callId, name, arguments: args };
  }
  return { id: item.id, object, type: item.type, status, call_id: item.callId, output: item.output };
}
