import { expect, it } from 'vitest';
import { Playback } from '../../../media/recorder/playback.js';

const bytes = (...values: number[]) => Uint8Array.from(values);
const played = (playback: Playback, count: number) => {
  const all: number[] = [];
  playback.play(count, (part, from, length) => all.push(...part.subarray(from, from + length)));
  return all;
};

it('plays in the order of sending, across pieces', () => {
  const playback = new Playback();
  for (const piece of [bytes(1, 2, 3), bytes(), bytes(4), bytes(5, 6, 7)]) playback.add(piece);
  expect(playback.waiting).toBe(7);
  expect(played(playback, 2)).toEqual([1, 2]);
  expect(played(playback, 0)).toEqual([]);
  expect(played(playback, 3)).toEqual([3, 4, 5]);
  playback.add(bytes(8));
  expect(playback.waiting).toBe(3);
  expect(played(playback, 100)).toEqual([6, 7, 8]);
  expect(playback.waiting).toBe(0);
  expect(played(playback, 1)).toEqual([]);
});

it('plays nothing of what was dropped', () => {
  const playback = new Playback();
  playback.add(bytes(1, 2, 3));
  expect(played(playback, 1)).toEqual([1]);
  playback.drop();
  expect(playback.waiting).toBe(0);
  playback.add(bytes(4, 5));
  expect(played(playback, 9)).toEqual([4, 5]);
});

it('plays what it was sent, however much waits and wherever its memory begins anew', () => {
  const playback = new Playback();
  const expected: number[] = [];
  const found: number[] = [];
  let next = 0;
  // More waits from turn to turn, far beyond what it begins with, and then less.
  for (let turn = 0; turn < 60; turn += 1) {
    const sent = turn < 30 ? 1_601 : 97;
    const piece = Uint8Array.from({ length: sent }, () => (next = (next + 7) % 251));
    expected.push(...piece);
    playback.add(piece);
    found.push(...played(playback, 1_000));
  }
  found.push(...played(playback, 1_000_000));
  expect(playback.waiting).toBe(0);
  expect(Buffer.from(found).equals(Buffer.from(expected))).toBe(true);
});

it('copies as much of a piece as it is told to', () => {
  const playback = new Playback();
  const piece = bytes(1, 2, 3);
  playback.add(piece, 2);
  piece[0] = 9;
  expect(played(playback, 3)).toEqual([1, 2]);
});
