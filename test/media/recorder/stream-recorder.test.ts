import { describe, expect, it } from 'vitest';
import { silenceByte as silence } from '../../../domain/calls/recordings/wav.js';
import {
  framesPerMs,
  StreamRecorder,
  type StreamRecorderOptions,
} from '../../../media/recorder/stream-recorder.js';
import type { Segment } from '../../../media/recorder/tape.js';
import { collectGarbage } from '../../support/lib/collect-garbage.js';
import { waitFor } from '../../support/lib/wait-for.js';

const frameMs = 20;
const frameBytes = frameMs * framesPerMs;
const base64 = (value: number, count = frameBytes) => Buffer.alloc(count, value).toString('base64');

/** A line whose caller says a tone now and then, and whose carrier plays what it gets, at real pace. */
class Line {
  now = 0;
  readonly segments: Segment[] = [];
  readonly recorder: StreamRecorder;
  /** What the carrier played, by millisecond of the stream. */
  readonly truth: { caller: number[]; agent: number[] } = { caller: [], agent: [] };
  #buffer: number[] = [];

  constructor(options: Partial<Pick<StreamRecorderOptions, 'segmentMs' | 'store'>> = {}) {
    this.recorder = new StreamRecorder({
      now: () => this.now,
      store: async (segment) => void this.segments.push(segment),
      ...options,
    });
  }

  /**
   * Lets time pass, a frame of the caller at a time. @param delayOf how long the frame takes to this process, undefined
   * if it is lost
   */
  pass(ms: number, value: number, delayOf: (stamp: number) => number | undefined = () => 5): void {
    const arrivals: { at: number; stamp: number }[] = [];
    const until = this.now + ms;
    for (; this.now < until; ) {
      this.truth.caller.push(value);
      this.truth.agent.push(this.#buffer.shift() ?? silence);
      this.now += 1;
      if (this.now % frameMs === 0) {
        const stamp = this.now - frameMs;
        const delay = delayOf(stamp);
        // A stream keeps its order: what is late delays what follows.
        const last = arrivals.at(-1)?.at ?? 0;
        if (delay !== undefined) arrivals.push({ at: Math.max(last, this.now + delay), stamp });
        else this.truth.caller.fill(silence, stamp, this.now);
      }
      while (arrivals[0] !== undefined && arrivals[0].at <= this.now) {
        this.recorder.heard(base64(value), (arrivals.shift() as { stamp: number }).stamp);
      }
    }
    for (const { stamp } of arrivals) this.recorder.heard(base64(value), stamp);
  }

  /** The agent's model gives so much audio at once. */
  say(value: number, ms: number): void {
    for (let at = 0; at < ms; at += 200) {
      this.recorder.spoke(base64(value, Math.min(200, ms - at) * framesPerMs));
    }
    this.#buffer.push(...Array(ms).fill(value));
  }

  clear(): void {
    this.recorder.cleared();
    this.#buffer = [];
  }

  /** The recording, by millisecond. */
  async recording(): Promise<{ caller: number[]; agent: number[] }> {
    await this.recorder.finish();
    const all = Buffer.concat(this.segments.map(({ bytes }) => bytes));
    const channel = (number: number) =>
      Array.from(
        { length: Math.floor(all.length / 2 / framesPerMs) },
        (_, ms) => all[2 * framesPerMs * ms + number] as number,
      );
    return { caller: channel(0), agent: channel(1) };
  }
}

/** When each value begins, as milliseconds. */
function beginnings(track: readonly number[]): Map<number, number> {
  const found = new Map<number, number>();
  track.forEach((value, at) => {
    if (value !== silence && value !== 0 && !found.has(value)) found.set(value, at);
  });
  return found;
}

const count = (track: readonly number[], value: number) => track.filter((one) => one === value).length;

async function expectInStep(line: Line): Promise<void> {
  const recorded = await line.recording();
  for (const side of ['caller', 'agent'] as const) {
    const [truth, found] = [beginnings(line.truth[side]), beginnings(recorded[side])];
    expect([...found.keys()]).toEqual([...truth.keys()]);
    for (const [value, at] of truth) {
      expect(Math.abs((found.get(value) as number) - at)).toBeLessThanOrEqual(40);
    }
    for (const value of truth.keys()) {
      expect(Math.abs(count(recorded[side], value) - count(line.truth[side], value))).toBeLessThanOrEqual(40);
    }
  }
}

describe('keeps the channels in step to within 40 ms', () => {
  const cases: [string, (stamp: number) => number | undefined][] = [
    ['on a steady line', () => 5],
    ['with frames that come late by varying times', (stamp) => 5 + ((stamp * 7) % 90)],
    ['when frames stall for a second and come at once', (stamp) => (stamp % 9_000 < 1_000 ? 1_000 : 5)],
    ['when one in twenty frames is lost', (stamp) => (stamp % 400 === 0 ? undefined : 5)],
  ];
  it.each(cases)('%s', async (_, delayOf) => {
    const line = new Line();
    let value = 1;
    for (let turn = 0; turn < 20; turn += 1) {
      line.pass(700, value, delayOf);
      line.say(value + 1, 1_500);
      line.pass(2_300, 0, delayOf);
      value += 2;
    }
    await expectInStep(line);
  });

  it('after an hour of a carrier whose clock is fast by a thousandth', async () => {
    let [now, caller, agent] = [0, 0, 0];
    const segments: Segment[] = [];
    const recorder = new StreamRecorder({
      now: () => now,
      store: async (segment) => void segments.push(segment),
    });
    const tone = base64(1);
    for (let stamp = 0; stamp < 3_600_000; stamp += frameMs) {
      now = (stamp + frameMs) / 1.001;
      recorder.heard(stamp === 3_599_000 ? base64(7) : tone, stamp);
      if (stamp === 3_599_000 - frameMs) recorder.spoke(base64(9, 800));
    }
    await recorder.finish();
    for (const { start, bytes } of segments) {
      const [left, right] = [bytes.indexOf(7), bytes.indexOf(9)];
      if (left >= 0) caller = start + left / 2;
      if (right >= 0) agent = start + right / 2;
    }
    expect(caller / framesPerMs).toBe(3_599_000);
    expect(Math.abs(agent - caller) / framesPerMs).toBeLessThanOrEqual(40);
  });
});

it('keeps a burst contiguous: what is sent at once is played one after the other', async () => {
  const line = new Line();
  line.pass(1_000, 0);
  for (let value = 1; value <= 25; value += 1) line.say(value, 200);
  line.pass(6_000, 0);
  const { agent } = await line.recording();
  const said = agent.slice(agent.indexOf(1), agent.lastIndexOf(25) + 1);
  expect(said).toEqual(Array.from({ length: 5_000 }, (_, ms) => 1 + Math.floor(ms / 200)));
});

it('cuts at a clear: what was not played is silent, and what is said next begins then', async () => {
  const line = new Line();
  line.pass(1_000, 0);
  line.say(1, 10_000);
  line.pass(2_000, 0);
  line.clear();
  line.pass(500, 0);
  line.say(2, 300);
  line.pass(1_000, 0);
  await expectInStep(line);
  const { agent } = await line.recording();
  expect(Math.abs(count(agent, 1) - 2_000)).toBeLessThanOrEqual(40);
  expect(count(agent, 2)).toBe(300);
});

it('ends with the stream: what waits to be played is not in it', async () => {
  const line = new Line();
  line.pass(1_000, 3);
  line.say(1, 60_000);
  line.pass(500, 3);
  const { caller, agent } = await line.recording();
  expect(caller.length).toBeLessThanOrEqual(1_520);
  expect(Math.abs(count(agent, 1) - 500)).toBeLessThanOrEqual(40);
});

it('stores segments while the call goes, each once nothing can be added to it', async () => {
  const line = new Line({ segmentMs: 2_000 });
  line.pass(3_900, 1);
  expect(line.segments).toHaveLength(0);
  line.pass(400, 1);
  expect(line.segments.map(({ number, start }) => ({ number, start }))).toEqual([{ number: 1, start: 0 }]);
  line.pass(20_000, 1);
  expect(line.segments).toHaveLength(11);
  expect(
    new Set(line.segments.flatMap(({ bytes }) => [...bytes].filter((_, index) => index % 2 === 0))),
  ).toEqual(new Set([1]));
});

it('stores silence while nothing is heard', () => {
  const line = new Line({ segmentMs: 2_000 });
  line.now = 9_000;
  line.recorder.tick();
  expect(line.segments.map(({ number }) => number)).toEqual([1, 2, 3]);
});

it('awaits what is being stored, and ends once', async () => {
  const waiting: (() => void)[] = [];
  const line = new Line({ segmentMs: 1_000, store: () => new Promise((resolve) => waiting.push(resolve)) });
  line.pass(4_500, 1);
  let finished = 0;
  const both = [line.recorder.finish(), line.recorder.finish()].map((one) => one.then(() => (finished += 1)));
  const stored = waiting.length;
  expect(stored).toBe(5);
  line.recorder.heard(base64(1), 4_500);
  line.recorder.spoke(base64(2));
  line.recorder.cleared();
  line.recorder.tick();
  for (const resolve of waiting.slice(1)) resolve();
  await Promise.resolve();
  expect(finished).toBe(0);
  waiting[0]?.();
  await Promise.all(both);
  expect({ finished, stored: waiting.length }).toEqual({ finished: 2, stored: 5 });
});

it('keeps no memory of segments once it has ended, however long they wait for the storage', async () => {
  const buffers: WeakRef<Buffer>[] = [];
  const stored: (() => void)[] = [];
  // The first is in the spool folder at once, the others only after the end.
  const later: (() => void)[] = [];
  const line = new Line({
    segmentMs: 1_000,
    store: ({ bytes }, release) => {
      buffers.push(new WeakRef(bytes));
      if (later.length === 0) release(bytes);
      later.push(() => release(bytes));
      return new Promise((resolve) => stored.push(resolve));
    },
  });
  line.pass(4_500, 1);
  const finished = line.recorder.finish();
  // In a function of its own: the frame of the test would refer to the last segment.
  const releaseAll = () => {
    for (const release of later.splice(0)) release();
  };
  releaseAll();
  await waitFor('their bytes are collected', () => {
    collectGarbage();
    return buffers.every((buffer) => buffer.deref() === undefined);
  });
  for (const resolve of stored) resolve();
  await finished;
  expect(buffers).toHaveLength(5);
});

it('does not hold up the loop: a frame takes microseconds, also while segments leave', () => {
  const line = new Line();
  const payload = base64(1);
  const delta = base64(2, 8_000);
  const took: number[] = [];
  for (let stamp = 0; stamp < 180_000; stamp += frameMs) {
    line.now = stamp + frameMs;
    const begin = performance.now();
    line.recorder.heard(payload, stamp);
    if (stamp % 1_000 === 0) line.recorder.spoke(delta);
    took.push(performance.now() - begin);
  }
  expect(line.segments).toHaveLength(5);
  // What other processes take from this one falls into few of 9,000 frames.
  took.sort((one, other) => one - other);
  expect(took[Math.floor(took.length * 0.98)]).toBeLessThan(1);
});
