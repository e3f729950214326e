import type { CompletionRequest, Message, Tool } from '../../../../tools/simulators/model/protocol.js';
import { answer } from '../../../../tools/simulators/model/walk/answer.js';

/** Says what happened in a conversation, and asks the simulated model for its next step. */
export class Conversation {
  readonly #messages: Message[] = [];
  #system = 'You are an assistant of a clinic.';
  #tools: Tool[] = [];
  #calls = 0;

  task(name: string, prompt: string, tools: Tool[] = []): this {
    this.#system = `You are an assistant of a clinic.\n\n## Current task: ${name}\n${prompt}\n\n## State\nVisited: none "at all".`;
    return this.offering(...tools);
  }

  offering(...tools: Tool[]): this {
    this.#tools = tools;
    return this;
  }

  user(...texts: string[]): this {
    this.#messages.push(...texts.map((text) => ({ role: 'user' as const, text })));
    return this;
  }

  /** A note of the service, as `domain/agent/model-history.ts` words it. */
  note(text: string): this {
    this.#messages.push({
      role: 'user',
      text: `[Note of the service, not of the member: ${JSON.stringify(text)}]`,
    });
    return this;
  }

  /** The same of a colleague, who gives the chat back. */
  noteOfColleague(text: string): this {
    return this.user(
      `[Note of a colleague for you, not of the member, who does not see it: ${JSON.stringify(text)}]`,
    );
  }

  assistant(text: string): this {
    this.#messages.push({ role: 'assistant', text, toolCalls: [] });
    return this;
  }

  toolResult(name: string, args: unknown, result: unknown): this {
    this.#calls += 1;
    const id = `call_${this.#calls}`;
    this.#messages.push(
      { role: 'assistant', text: '', toolCalls: [{ id, name, arguments: JSON.stringify(args) }] },
      { role: 'tool', toolCallId: id, text: typeof result === 'string' ? result : JSON.stringify(result) },
    );
    return this;
  }

  /** The next step: words, or the call as `[name, arguments]`. */
  next(): string | [string, unknown] {
    const request: CompletionRequest = {
      model: 'simulated-chat',
      messages: [{ role: 'system', text: this.#system }, ...this.#messages],
      tools: this.#tools,
      stream: false,
      includeUsage: false,
    };
    const { content, toolCalls } = answer(request);
    const [called] = toolCalls;
    return called === undefined ? (content ?? '') : [called.name, JSON.parse(called.arguments)];
  }
}

export function saveData(properties: Record<string, unknown>, required: string[]): Tool {
  return { name: 'save_data', description: 'Save it.', parameters: { type: 'object', properties, required } };
}

export function selectTask(choices: Record<string, string>): Tool {
  const lines = Object.entries(choices).map(([uuid, text]) => `${uuid}: ${text}`);
  const task = { type: 'string', enum: Object.keys(choices) };
  return {
    name: 'select_task',
    description: ['Go on to one of these:', ...lines].join('\n'),
    parameters: { type: 'object', properties: { task }, required: ['task'] },
  };
}

export function plainTool(name: string, properties: Record<string, unknown> = {}): Tool {
  return {
    name,
    description: '',
    parameters: { type: 'object', properties, required: Object.keys(properties) },
  };
}
