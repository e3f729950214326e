import { expect, it } from 'vitest';
import { Playback } from '../../../media/recorder/playback.js';

const bytes = (...values: number[]) => Uint8Array.from(values);
const played = (playback: Playback, count: number) => playback.play(count).flatMap((piece) => [...piece]);

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
  playback.play(1);
  playback.drop();
  expect(playback.waiting).toBe(0);
  playback.add(bytes(4, 5));
  expect(played(playback, 9)).toEqual([4, 5]);
});
