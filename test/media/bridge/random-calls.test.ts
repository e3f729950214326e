import { expect, test } from 'vitest';
import type { BackendNews, CallOpening, Said } from '../../../media/bridge/ports.js';
import { VoiceSession } from '../../../media/bridge/voice-session.js';
import { seededRandom } from '../../../tools/simulators/support/random.js';
import { FakeClock } from './fake-clock.js';
import { RandomLine } from './random-line.js';
import { RandomModelSession } from './random-session.js';

const frame = Buffer.alloc(160, 0xff).toString('base64');
const plain: BackendNews = { isCurrent: true };
const conduct = { silenceMs: 8_000, silencePrompts: 2, fillerMs: 1_500 };
/** A mark and a piece of sound, beside the time to the carrier and back. */
const markMs = 420;

/** A minute in which caller, carrier, model, tools and domain do anything at any time. */
class RandomCall {
  readonly clock = new FakeClock();
  readonly random: () => number;
  isWild = true;
  closed: string | undefined;
  readonly stored: Said[] = [];
  readonly mistakes: string[] = [];
  readonly #latencyMs: number;
  readonly #line: RandomLine;
  readonly #voice: VoiceSession;
  readonly #numbers = new Map<RandomModelSession, number>();
  /** How often the line had been cleared when an item began. */
  readonly #clearsBefore = new Map<number, number>();
  #session: RandomModelSession | undefined;
  #ids = 0;
  #heardMs = 0;

  constructor(seed: number) {
    this.random = seededRandom(seed);
    this.#latencyMs = 20 + this.random() * 150;
    this.#line = new RandomLine(this.clock, this.#latencyMs, (name) => this.#voice.marked(name));
    this.#voice = new VoiceSession({
      stream: this.#line,
      recorder: { heard: () => {}, spoke: () => {}, cleared: () => {} },
      work: {
        connect: () => this.#connect(),
        store: (said) => void this.stored.push(said),
        played: (messageId) => this.#later(50, () => this.#voice.messagePlayed(messageId, plain)),
        runTools: (responseId, calls) =>
          this.#later(100 + this.random() * 4_000, () => {
            const outputs = calls.map(({ callId }) => ({ callId, output: '{"ok":true}' }));
            this.#voice.toolsDone(responseId, { outputs, news: this.#news() });
          }),
        takeKeys: () => this.#later(50, () => this.#voice.keysTaken({ told: 'Taken.', news: plain })),
        look: () => this.#later(30, () => this.#voice.news(plain)),
        refused: (code) => void this.mistakes.push(code),
        bookResponse: () => {},
        bookTranscription: () => {},
        leave: () => {},
        closed: (reason) => {
          this.closed = reason;
        },
      },
      clock: this.clock,
      beganAt: this.clock.now(),
      streamBeganMs: 0,
    });
    this.#connect();
    this.#hear();
    this.#later(500, () => this.#doAnything());
  }

  #later(ms: number, run: () => void): void {
    this.clock.after(ms, run);
  }

  #chance(share: number): boolean {
    return this.isWild && this.random() < share;
  }

  #nextId(): number {
    this.#ids += 1;
    return this.#ids;
  }

  #news(): BackendNews {
    if (!this.#chance(0.2)) return plain;
    return { ...plain, toSay: [{ messageId: 1 + Math.floor(this.random() * 5), text: 'A stored message.' }] };
  }

  #connect(): void {
    this.#later(100 + this.random() * 400, () => {
      if (this.closed !== undefined) return;
      const call = this;
      const session = new RandomModelSession({
        clock: this.clock,
        random: this.random,
        get isWild() {
          return call.isWild;
        },
        nextId: () => this.#nextId(),
        wrong: (what) => void this.mistakes.push(what),
        told: (item, heardMs) => this.#compare(item, heardMs),
        take: (from, event) => {
          if (event.type === 'item_begun')
            this.#clearsBefore.set(Number(event.itemId.slice(1)), this.#line.clears);
          this.#voice.take(this.#numbers.get(from) ?? 0, event);
        },
      });
      this.#session = session;
      const opening = { settings: {}, conduct, firstWords: 'Greet.', news: this.#news() };
      this.#numbers.set(session, this.#voice.opened(session, opening as unknown as CallOpening));
    });
  }

  /** What the model is told was heard, and a caller did not hear, or the other way round. */
  #compare(item: number, toldMs: number): void {
    const heardMs = this.#line.heardMs(item);
    const clears = 1 + this.#line.clears - (this.#clearsBefore.get(item) ?? 0);
    if (toldMs > heardMs + 201) this.mistakes.push(`told ${toldMs} ms of ${item}, heard ${heardMs} ms`);
    if (toldMs < heardMs - clears * (2 * this.#latencyMs + markMs))
      this.mistakes.push(`told only ${toldMs} ms of ${item}, heard ${heardMs} ms`);
  }

  #hear(): void {
    if (this.closed !== undefined) return;
    this.#voice.hear(frame, this.#heardMs);
    this.#heardMs += 20;
    this.#later(20, () => this.#hear());
  }

  /** @param transcribedMs undefined: never */
  say(text: string, ms: number, transcribedMs: number | undefined): void {
    const session = this.#session;
    const itemId = `u${this.#nextId()}`;
    session?.tell({ type: 'speech_started', itemId, atMs: this.#heardMs });
    this.#later(ms, () => {
      session?.tell({ type: 'speech_stopped', itemId, atMs: this.#heardMs });
      session?.tell({ type: 'heard', itemId, afterItemId: null });
      if (transcribedMs === undefined) return;
      this.#later(transcribedMs, () =>
        session?.tell({ type: 'transcribed', itemId, text, usage: undefined }),
      );
    });
  }

  #doAnything(): void {
    if (!this.isWild || this.closed !== undefined) return;
    const drawn = this.random();
    const session = this.#session;
    if (drawn < 0.45) {
      const text = ['', 'mhm', 'No', 'Tell me more, please'][Math.floor(this.random() * 4)] ?? '';
      this.say(text, 100 + this.random() * 2_500, this.#chance(0.1) ? undefined : 50 + this.random() * 1_500);
    } else if (drawn < 0.52) this.#voice.press('1');
    else if (drawn < 0.56 && session?.isOver === false) {
      session.isOver = true;
      this.#voice.take(this.#numbers.get(session) ?? 0, { type: 'closed', code: 'ws_1006' });
    } else if (drawn < 0.57 && session !== undefined) session.isMute = true;
    else if (drawn < 0.58) {
      session?.tell({ type: 'speech_started', itemId: `u${this.#nextId()}`, atMs: this.#heardMs });
    } else if (drawn < 0.61) this.#voice.news({ ...plain, notes: ['A note.'] });
    this.#later(300 + this.random() * 3_500, () => this.#doAnything());
  }

  get wordsOfAgent(): number {
    return this.stored.filter(({ by }) => by === 'agent').length;
  }
}

const seeds = Array.from({ length: 150 }, (_, index) => index + 1);

test('whatever happens in a call, the agent answers or the call ends, and the model knows what was heard', () => {
  const found: Record<string, string[]> = {};
  for (const seed of seeds) {
    const call = new RandomCall(seed);
    call.clock.move(60_000);
    call.isWild = false;
    // What failed before is over within this.
    call.clock.move(5_000);
    const words = call.wordsOfAgent;
    call.say('Are you there?', 800, 200);
    call.clock.move(120_000);
    if (call.closed === undefined || (call.closed === 'agent_ended' && call.wordsOfAgent === words))
      call.mistakes.push('the agent fell silent');
    if (call.mistakes.length > 0) found[`seed ${seed}`] = call.mistakes;
  }
  expect(found).toEqual({});
});
