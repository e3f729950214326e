import { Agent, type ClientRequest, get } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Flood, PreparedRequest } from '../attack.js';
import { send, type Way } from './send.js';
import { serveQuestions } from './serve-questions.js';

/** Sends a flood until it is told to end. */
export type AttackerQuestion = { kind: 'begin'; url: string; flood: Flood } | { kind: 'end' };

/** How often each status was answered since the flood began; 0 counts connections that were cut. */
export type Statuses = Record<number, number>;

/** Of this machine, and another than the neighbour's. */
const ownAddress = '127.0.0.2';

let statuses: Statuses = {};
let isOver = false;
let senders: Promise<void>[] = [];
let streams: ClientRequest[] = [];
let agent = new Agent();

function note(status: number): void {
  statuses[status] = (statuses[status] ?? 0) + 1;
}

async function begin({ url, flood }: { url: string; flood: Flood }): Promise<void> {
  statuses = {};
  isOver = false;
  agent = new Agent({ keepAlive: true, maxSockets: flood.concurrency });
  const way: Way = { url, agent, ...(flood.fromNeighboursAddress ? {} : { localAddress: ownAddress }) };
  await Promise.all((flood.streams ?? []).map((stream) => openStream(way, stream)));
  const firstAnswer = new Promise<void>((resolve) => {
    senders = Array.from({ length: flood.concurrency }, (_, first) => sendInTurn(way, flood, first, resolve));
  });
  await firstAnswer;
}

async function sendInTurn(
  way: Way,
  { requests, concurrency, pauseMs = 0 }: Flood,
  first: number,
  answered: () => void,
): Promise<void> {
  for (let next = first; !isOver; next += concurrency) {
    const prepared = requests[next % requests.length];
    if (prepared === undefined) return;
    note(await send(way, prepared));
    answered();
    if (pauseMs > 0) await delay(pauseMs);
  }
}

function openStream({ url, localAddress }: Way, { path, headers }: PreparedRequest): Promise<void> {
  return new Promise((resolve) => {
    const options = { headers, ...(localAddress === undefined ? {} : { localAddress }) };
    const stream = get(`${url}/api/v2${path}`, options, (response) => {
      note(response.statusCode ?? 0);
      response.resume();
      response.on('error', () => undefined);
      resolve();
    });
    stream.on('error', () => resolve());
    streams.push(stream);
  });
}

async function end(): Promise<Statuses> {
  isOver = true;
  await Promise.all(senders);
  agent.destroy();
  for (const stream of streams) stream.destroy();
  senders = [];
  streams = [];
  return statuses;
}

serveQuestions<AttackerQuestion, Statuses>(async (question) => {
  if (question.kind === 'end') return end();
  await begin(question);
  return statuses;
});
