import { EventEmitter, once } from 'node:events';
import { describe, expect, test } from 'vitest';
import type { BackendNews, BridgeEnd, BridgeStop, Said } from '../../../media/bridge/ports.js';
import { systemClock } from '../../../media/bridge/system-clock.js';
import type { RelayBackend, RelayEvents, RelayLine } from '../../../media/relay/ports.js';
import { runRelay } from '../../../media/relay/relay.js';
import {
  type ChatModel,
  type ChatModelAnswer,
  type ChatModelRequest,
  ModelBusy,
  ModelUnusable,
  type ModelUsage,
} from '../../../providers/model/chat-model.js';

const usage: ModelUsage = { promptTokens: 10, completionTokens: 5, cachedTokens: 0, totalTokens: 15 };
const news: BackendNews = { isCurrent: true };

/** A line in memory, at whose other end a test speaks. */
class FakeLine implements RelayLine {
  readonly streamId = 'VX1';
  readonly carrierCallId = 'CA1';
  said: string[] = [];
  events: RelayEvents | undefined;
  listen(events: RelayEvents): void {
    this.events = events;
  }
  say(text: string): void {
    this.said.push(text);
  }
  close(): void {}
}

/** A domain in memory. */
class FakeBackend implements RelayBackend {
  /** What was done, in its order. */
  done: string[] = [];
  failures = 0;
  ending = false;
  readonly #news = new EventEmitter();

  async #do(what: string): Promise<void> {
    if (this.failures > 0) {
      this.failures -= 1;
      throw new Error('the database is away');
    }
    this.done.push(what);
    this.#news.emit('done');
  }

  /** Resolves once it was done. */
  async until(what: string): Promise<void> {
    while (!this.done.includes(what)) await once(this.#news, 'done');
  }

  async openRelay() {
    await this.#do('open');
    return { conduct: { silenceMs: null, silencePrompts: 0, fillerMs: 1_500 }, firstWords: undefined, news };
  }
  async ask() {
    await this.#do('ask');
    const messages = [{ role: 'system' as const, content: 'Help.' }];
    return { bookingId: 'b1', model: 'm', config: {}, messages, tools: [] };
  }
  store = ({ by, text }: Said) => this.#do(`${by}: ${text}`);
  async played() {
    return news;
  }
  async runTools(_: string, calls: readonly { name: string }[]) {
    await this.#do(`run ${calls.map(({ name }) => name).join()}`);
    return { outputs: [], news: this.ending ? { ...news, ending: 'hang_up' as const } : news };
  }
  async takeKeys() {
    return { told: '', news };
  }
  async look() {
    return news;
  }
  endCall = () => this.#do('end');
  bookAnswer = (bookingId: string) => this.#do(`book ${bookingId}`);
  bookLostAnswer = (bookingId: string, characters: number | undefined) =>
    this.#do(`lost ${bookingId} after ${characters}`);
}

type Answering = (request: ChatModelRequest) => Promise<Partial<ChatModelAnswer>>;

function start(...answers: Answering[]) {
  const [line, backend, stop] = [new FakeLine(), new FakeBackend(), new AbortController()];
  const asked: ChatModelRequest[] = [];
  const warnings: string[] = [];
  const model: ChatModel = {
    async complete(request) {
      asked.push(request);
      const answer = answers.shift() ?? (() => new Promise<never>(() => undefined));
      return { content: null, toolCalls: [], usage, model: 'm', ...(await answer(request)) };
    },
  };
  const times = { beganAt: systemClock.now(), streamBeganMs: 0 };
  const call = { workspaceId: 1, chatId: 2, callId: 3, attempt: 1, ...times, recordingUuid: null };
  const log = { info: () => undefined, warn: (_: object, message: string) => void warnings.push(message) };
  const { signal } = stop;
  const ended: Promise<BridgeEnd> = runRelay({ line, call, backend, model, clock: systemClock, log, signal });
  return { line, backend, asked, warnings, ended, stop: (reason: BridgeStop) => stop.abort(reason) };
}

const says =
  (...pieces: string[]): Answering =>
  async ({ onToken }) => {
    for (const piece of pieces) onToken?.(piece);
    return { content: pieces.join('') };
  };

describe('runRelay', () => {
  test('stores what the caller says before the model is asked, speaks the pieces, and books the answer', async () => {
    const { line, backend, ended } = start(says('Hello', ' Ana.'));
    await backend.until('open');
    line.events?.said('Hi');
    await backend.until('book b1');
    expect(backend.done).toEqual(['open', 'caller: Hi', 'ask', 'book b1']);
    expect(line.said).toEqual(['Hello', ' Ana.', '']);
    line.events?.ended('closed');
    expect(await ended).toEqual({ reason: 'caller_left' });
  });

  test('aborts the model on an interruption, and books what came of its answer', async () => {
    const { line, backend, asked, ended } = start(async ({ onToken, signal }) => {
      onToken?.('Your order has left.');
      await once(signal as AbortSignal, 'abort');
      throw (signal as AbortSignal).reason;
    });
    await backend.until('open');
    line.events?.said('Hi');
    while (line.said.length === 0) await new Promise(setImmediate);
    line.events?.speaking('agent', true);
    line.events?.interrupted({ heard: 'Your order', afterMs: 600 });
    await backend.until('lost b1 after 20');
    expect(asked[0]?.signal?.aborted).toBe(true);
    expect(backend.done).toContain('agent: Your order');
    line.events?.ended('closed');
    await ended;
  });

  test('runs tools, and ends with the last words', async () => {
    const { line, backend, ended } = start(async ({ onToken }) => {
      onToken?.('Bye');
      return { content: 'Bye', toolCalls: [{ id: 'c1', name: 'end_call', arguments: '{}' }] };
    });
    backend.ending = true;
    await backend.until('open');
    line.events?.said('Bye');
    await backend.until('run end_call');
    line.events?.speaking('agent', true);
    line.events?.speaking('agent', false);
    expect(await ended).toEqual({ reason: 'agent_ended' });
    // The tool has noted the end itself.
    expect(backend.done).not.toContain('end');
    expect(backend.done.at(-1)).toBe('agent: Bye');
  });

  test('an error of ours ends the call, which returns to the handler', async () => {
    const { line, backend, warnings, ended } = start();
    await backend.until('open');
    line.events?.said(null as never);
    expect(await ended).toEqual({ reason: 'model_lost' });
    expect(warnings).toEqual(['a bridge failed']);
  });

  test('stores although the database fails for a moment', async () => {
    const { line, backend, ended } = start(says('Hello.'));
    await backend.until('open');
    backend.failures = 2;
    line.events?.said('Hi');
    await backend.until('book b1');
    expect(backend.done.slice(1, 3)).toEqual(['caller: Hi', 'ask']);
    line.events?.ended('closed');
    await ended;
  });

  test.each([
    ['unusable', () => new ModelUnusable('invalid_api_key', true), 'lost b1 after undefined', 1],
    ['busy again and again', () => new ModelBusy('http_429'), 'lost b1 after undefined', 3],
    ['lost in the middle', () => new ModelBusy('connection_lost'), 'lost b1 after 0', 3],
  ])('is given up when the model is %s', async (_, error, booked, times) => {
    const fail: Answering = () => Promise.reject(error());
    const { line, backend, asked, warnings, ended } = start(fail, fail, fail, fail);
    await backend.until('open');
    line.events?.said('Hi');
    expect(await ended).toEqual({ reason: 'model_lost' });
    expect(asked).toHaveLength(times);
    expect(warnings).toHaveLength(times);
    expect(backend.done.at(-1)).toBe(booked);
  });

  test('ends when the desk says so, and when it is told', async () => {
    const { backend, ended, stop } = start();
    await backend.until('open');
    stop('drained');
    expect(await ended).toEqual({ reason: 'drained' });
  });

  test('tells once that the carrier refuses messages, and goes on', async () => {
    const { line, backend, warnings, ended, stop } = start(says('Hello.'));
    await backend.until('open');
    line.events?.refused();
    line.events?.refused();
    line.events?.said('Hi');
    await backend.until('book b1');
    expect(warnings).toHaveLength(1);
    stop('commanded');
    await ended;
  });
});
