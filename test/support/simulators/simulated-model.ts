import { startModelSimulator } from '../../../tools/simulators/model/start-model-simulator.js';
import { waitFor } from '../lib/wait-for.js';
import { ask } from './ask.js';

/** An answer that the model is told to give; see `tools/simulators/README.md`. */
export interface ScriptedReply {
  content?: string;
  toolCalls?: { name: string; arguments: unknown }[];
  status?: number;
  headers?: Record<string, string>;
  error?: string;
  hold?: boolean;
}

/** An answer that calls a tool. */
export function calling(name: string, args: unknown): ScriptedReply {
  return { toolCalls: [{ name, arguments: args }] };
}

export interface ModelRequest {
  number: number;
  body: { messages: { role: string; content: unknown }[]; tools?: { function: { name: string } }[] };
}

export interface SimulatedModel {
  url: string;
  /** The next answers to requests whose messages contain a text, or to any. */
  script(replies: ScriptedReply[], contains?: string): Promise<void>;
  /** What was scripted and not asked for yet is not given any more. */
  unscript(): Promise<void>;
  turn(knobs: { tokenDelayMs?: number; latencyMs?: number }): Promise<void>;
  held(count?: number): Promise<void>;
  release(): Promise<void>;
  requests(contains?: string): Promise<ModelRequest[]>;
  close(): Promise<void>;
}

export async function startModel(): Promise<SimulatedModel> {
  const { url, close } = await startModelSimulator({ port: 0 });
  const read = (contains?: string) => {
    const query = contains === undefined ? '' : `?contains=${encodeURIComponent(contains)}`;
    return ask<{ held: number; requests: ModelRequest[] }>(url, 'GET', `/requests${query}`);
  };
  return {
    url,
    async script(replies, contains) {
      const match = contains === undefined ? {} : { match: { contains } };
      await ask(url, 'POST', '/script', { replies, ...match });
    },
    async unscript() {
      await ask(url, 'DELETE', '/script');
    },
    async turn(knobs) {
      await ask(url, 'POST', '/knobs', knobs);
    },
    async held(count = 1) {
      await waitFor(`the model holds ${count} request(s)`, async () => (await read()).held >= count);
    },
    async release() {
      await ask(url, 'POST', '/release');
    },
    requests: async (contains) => (await read(contains)).requests,
    close,
  };
}
