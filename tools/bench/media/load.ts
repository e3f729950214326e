import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { setTimeout as pause, setImmediate } from 'node:timers/promises';
import { type WebSocket, WebSocketServer } from 'ws';
import { percentile } from '../../../test/support/lib/statistics.js';
import { frameMs, readFrame } from './frames.js';
import { LoadCall, type LoadedStream } from './load-call.js';

/*
 * A separate process that is the carrier and the model of many calls, so that one clock measures how long a frame takes from one to the
 * other. It is told by POST what to do: `/open`, `/frames`, `/clears`, `/hold`, `/flood`, `/interrupt` and `/close`.
 */

/** Calls of one kind, which are numbered through: those of the service, or of the relay. */
export type Kind = 'service' | 'relay';

export interface Waits {
  median: number;
  p99: number;
  count: number;
  /** Frames that did not arrive, or echoes that did not come. */
  lost: number;
}

/**
 * Both sides speak for so long before it counts. The service first does what became due while it was stopped. The relay has nothing due,
 * and the service may not be stopped for six seconds: it would cancel each response that made no sound meanwhile.
 */
const settleMs: Record<Kind, number> = { service: 4_000, relay: 500 };
const stragglersMs = 300;
/** How much of what is sent a socket keeps before it is sent no more. */
const maxWaiting = 64 * 1_024;
/** The carrier plays with a delay, so that there is something that a `clear` drops. */
const playedLateMs = 300;
/** A call of a load is interrupted so often. */
const coughEveryMs = 2_000;
const startsWithinMs = 30_000;

const firstNumber: Record<Kind, number> = { service: 0, relay: 500 };
const calls: Record<Kind, LoadCall[]> = { service: [], relay: [] };
let waits: number[] | undefined;
let clears: number[] | undefined;
const observer = {
  waited: (ms: number) => void waits?.push(ms),
  cleared: (ms: number) => void clears?.push(ms),
};

function callOf(number: number): LoadCall | undefined {
  const kind = number < firstNumber.relay ? 'service' : 'relay';
  return calls[kind][number - firstNumber[kind]];
}

function serveModel(socket: WebSocket): void {
  let own: LoadCall | undefined;
  const early: { type: string }[] = [];
  socket.on('error', () => undefined);
  socket.on('message', (data) => {
    const message = String(data);
    const sound = readFrame(message);
    if (sound === undefined) {
      const asked = JSON.parse(message);
      if (asked.type === 'session.update') socket.send('{"type":"session.updated","session":{}}');
      else if (own === undefined) early.push(asked);
      else own.asked(asked);
      return;
    }
    if (own === undefined) {
      own = callOf(sound.call);
      own?.join(socket, message.includes('"payload"'));
      for (const asked of early) own?.asked(asked);
    }
    own?.heard(sound.number);
  });
}

/** Both sides speak in all calls, which are not in step, until the work is done. */
async function talking<T>(kind: Kind, work: () => Promise<T>): Promise<T> {
  const beganAt = performance.now();
  const due = (index: number, shift: number) => beganAt + (((index * 7) % 100) * frameMs) / 100 + shift;
  const next: { say: number; answer: number }[] = [];
  const ticker = setInterval(() => {
    const now = performance.now();
    for (const [index, call] of calls[kind].entries()) {
      next[index] ??= { say: Math.max(due(index, 0), now), answer: Math.max(due(index, frameMs / 2), now) };
      const times = next[index];
      for (; times.say <= now; times.say += frameMs) call.sayFrame();
      for (; times.answer <= now; times.answer += frameMs) if (call.isSpeaking) call.answerFrame();
    }
  }, 1);
  try {
    return await work();
  } finally {
    clearInterval(ticker);
  }
}

async function open({ kind, streams, everyMs }: { kind: Kind; streams: LoadedStream[]; everyMs: number }) {
  await talking(kind, async () => {
    for (const stream of streams) {
      const call = await LoadCall.open(firstNumber[kind] + calls[kind].length, stream, observer);
      call.markMs = playedLateMs;
      calls[kind].push(call);
      await pause(everyMs);
    }
    await until('every call is answered', () => calls[kind].every(({ isSpeaking }) => isSpeaking));
  });
}

/** How long frames are under way in both directions. */
async function frames({ kind, seconds }: { kind: Kind; seconds: number }): Promise<Waits> {
  const counted = (of: 'sent' | 'arrived') =>
    calls[kind].reduce((sum, { toModel, toCarrier }) => sum + toModel[of] + toCarrier[of], 0);
  return talking(kind, async () => {
    await pause(settleMs[kind]);
    const taken: number[] = [];
    const before = counted('sent') - counted('arrived');
    waits = taken;
    await pause(seconds * 1_000);
    waits = undefined;
    // Those that are under way at both ends are about as many.
    const lost = Math.max(0, counted('sent') - counted('arrived') - before - calls[kind].length);
    return summary(taken, lost);
  });
}

/** How long it takes from the model's word that the caller speaks to the carrier's that it plays no more. */
async function coughs({ kind, seconds }: { kind: Kind; seconds: number }): Promise<Waits> {
  return talking(kind, async () => {
    await pause(settleMs[kind]);
    const taken: number[] = [];
    clears = taken;
    const coughing: Promise<void>[] = [];
    const count = Math.floor((seconds * 1_000) / coughEveryMs) * calls[kind].length;
    for (let index = 0; index < count; index += 1) {
      const call = calls[kind][index % calls[kind].length];
      if (call !== undefined) coughing.push(call.cough());
      await pause(coughEveryMs / calls[kind].length);
    }
    await Promise.all(coughing);
    await pause(stragglersMs);
    clears = undefined;
    return summary(taken, count - taken.length);
  });
}

function summary(taken: readonly number[], lost: number): Waits {
  return { median: percentile(taken, 50), p99: percentile(taken, 99), count: taken.length, lost };
}

/** Sends so many frames in both directions of the first call, as fast as they are taken. */
async function flood({ kind, count }: { kind: Kind; count: number }): Promise<void> {
  const call = calls[kind][0];
  if (call === undefined) throw new Error('there is no call');
  const { toModel, toCarrier } = call;
  call.markMs = 0;
  call.isPaced = false;
  for (let sent = 0; sent < count; ) {
    for (; sent < count && call.waitingBytes < maxWaiting; sent += 1) {
      call.sayFrame();
      call.answerFrame();
    }
    await setImmediate();
  }
  await until('every frame has arrived', () => [toModel, toCarrier].every((way) => way.arrived === way.sent));
}

/** The agent is interrupted by words, and answers them. */
async function interrupt({ kind }: { kind: Kind }): Promise<void> {
  const call = calls[kind][0];
  if (call === undefined) throw new Error('there is no call');
  const { responses } = call;
  call.interrupt();
  // The stop between two responses is shorter than a look.
  await until('the agent answers', () => call.responses > responses);
}

async function close({ kind }: { kind: Kind }): Promise<void> {
  for (const call of calls[kind].splice(0)) call.close();
}

async function until(what: string, isSo: () => boolean): Promise<void> {
  const giveUpAt = performance.now() + startsWithinMs;
  while (!isSo()) {
    if (performance.now() > giveUpAt) throw new Error(`waited in vain until ${what}`);
    await pause(1);
  }
}

const commands: Record<string, (given: never) => Promise<unknown>> = {
  '/open': open,
  '/frames': frames,
  '/clears': coughs,
  '/hold': ({ kind, seconds }: { kind: Kind; seconds: number }) =>
    talking(kind, () => pause(seconds * 1_000)),
  '/flood': flood,
  '/interrupt': interrupt,
  '/close': close,
};

const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false });
const server = createServer(async (request, response) => {
  const command = commands[request.url ?? ''];
  if (command === undefined) {
    response.end('ready');
    return;
  }
  try {
    const result = await command((await json(request)) as never);
    response.end(JSON.stringify(result ?? {}));
  } catch (error) {
    response.writeHead(500).end(error instanceof Error ? error.message : String(error));
  }
});
server.on('upgrade', (request, socket, head) => sockets.handleUpgrade(request, socket, head, serveModel));
server.listen(Number(process.env.PORT), '127.0.0.1');
