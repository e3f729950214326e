import { expect, it } from 'vitest';
import { silenceByte as silence } from '../../../domain/calls/recordings/wav.js';
import { type Segment, Tape } from '../../../media/recorder/tape.js';

const bytes = (...values: number[]) => Uint8Array.from(values);
const channels = ({ bytes: all, frames, start, number }: Segment) => ({
  number,
  start,
  frames,
  caller: [...all].filter((_, index) => index % 2 === 0),
  agent: [...all].filter((_, index) => index % 2 === 1),
});

it('writes two channels by turns, across segments, with silence where nothing was', () => {
  const tape = new Tape(4);
  tape.write(0, 2, bytes(8, 1, 2, 3, 4, 5, 6, 7), 1, 6);
  tape.write(1, 5, bytes(9));
  expect(tape.takeUntil(7).map(channels)).toEqual([
    { number: 1, start: 0, frames: 4, caller: [silence, silence, 1, 2], agent: Array(4).fill(silence) },
  ]);
  expect(tape.takeRest().map(channels)).toEqual([
    { number: 2, start: 4, frames: 4, caller: [3, 4, 5, 6], agent: [silence, 9, silence, silence] },
  ]);
  expect(tape.takeRest()).toEqual([]);
});

it('loses what falls into a segment that has left, and nothing else', () => {
  const tape = new Tape(4);
  tape.extend(5);
  expect(tape.takeUntil(3)).toEqual([]);
  expect(tape.takeUntil(4)).toHaveLength(1);
  tape.write(0, 2, bytes(1, 2, 3, 4));
  tape.write(1, 0, bytes(7, 7));
  expect(tape.takeRest().map(channels)).toEqual([
    { number: 2, start: 4, frames: 2, caller: [3, 4], agent: [silence, silence] },
  ]);
});

it('takes no segment twice, and none that is still written to', () => {
  const tape = new Tape(2);
  tape.extend(7);
  expect(tape.takeUntil(5).map(({ number }) => number)).toEqual([1, 2]);
  expect(tape.takeUntil(5)).toEqual([]);
  expect(tape.takeUntil(100).map(({ number }) => number)).toEqual([3, 4]);
  tape.extend(9);
  expect(tape.takeRest().map(({ number, start, frames }) => ({ number, start, frames }))).toEqual([
    { number: 5, start: 8, frames: 1 },
  ]);
});

it('fills the memory of a segment with silence before it is written to again', () => {
  const tape = new Tape(2);
  tape.write(0, 0, bytes(1, 2, 3, 4));
  const [first] = tape.takeUntil(2) as [Segment];
  tape.reuse(first.bytes);
  tape.write(1, 4, bytes(9));
  const [second, third] = tape.takeRest() as [Segment, Segment];
  expect(third.bytes.buffer).toBe(first.bytes.buffer);
  expect([second, third].map(channels)).toEqual([
    { number: 2, start: 2, frames: 2, caller: [3, 4], agent: [silence, silence] },
    { number: 3, start: 4, frames: 1, caller: [silence], agent: [9] },
  ]);
});

it('keeps no memory for later segments once the rest was taken', () => {
  const tape = new Tape(2);
  tape.extend(3);
  const [first] = tape.takeUntil(2) as [Segment];
  tape.reuse(first.bytes);
  tape.takeRest();
  tape.extend(6);
  expect(tape.takeRest().map(({ bytes: { buffer } }) => buffer === first.bytes.buffer)).toEqual([false]);
});

it('keeps the memory of one whole segment', () => {
  const tape = new Tape(2);
  tape.extend(7);
  const left = [...tape.takeUntil(6), ...tape.takeRest()];
  for (const segment of left) tape.reuse(segment.bytes);
  tape.extend(12);
  const buffers = tape.takeRest().map((segment) => segment.bytes.buffer);
  expect(left.map(({ bytes: { buffer } }) => buffers.indexOf(buffer))).toEqual([-1, -1, 0, -1]);
});
