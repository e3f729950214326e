import { Agent } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { PreparedRequest } from '../attack.js';
import { send } from './send.js';
import { serveQuestions } from './serve-questions.js';

export interface Asking {
  url: string;
  /** One for each person. */
  requests: readonly PreparedRequest[];
  count: number;
  /** How long a person takes from one request to the next; longer where the answer comes later. */
  everyMs: number;
  /** What is not asked by then is left. */
  withinMs: number;
}

export interface Asked {
  /** How long each answer took, in milliseconds from when it was due to be asked. */
  times: number[];
  /** Those of its answers that were not 2xx; 0 is a connection that was cut. */
  refused: number[];
}

async function askSteadily({ url, requests, count, everyMs, withinMs }: Asking): Promise<Asked> {
  const asked: Asked = { times: [], refused: [] };
  // The server closes connections that rest between two phases, which a request may meet.
  const agent = new Agent({ keepAlive: true });
  let left = count;
  const until = performance.now() + withinMs;
  const askAs = async (prepared: PreparedRequest, person: number) => {
    // They do not all ask at the same moment.
    let dueAt = performance.now() + (person * everyMs) / requests.length;
    while (left > 0 && performance.now() < until) {
      left -= 1;
      await delay(Math.max(0, dueAt - performance.now()));
      const status = await send({ url, agent }, prepared);
      const answeredAt = performance.now();
      asked.times.push(answeredAt - dueAt);
      if (status < 200 || status > 299) asked.refused.push(status);
      dueAt = Math.max(dueAt + everyMs, answeredAt);
    }
  };
  await Promise.all(requests.map(askAs));
  agent.destroy();
  return asked;
}

serveQuestions(askSteadily);
