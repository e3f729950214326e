import { expect, it } from 'vitest';
import { SoundRing } from '../../../media/sound/sound-ring.js';

const bytes = (...values: number[]) => Uint8Array.from(values);
const played = (ring: SoundRing, count: number) => {
  const all: number[] = [];
  ring.play(count, (part, from, length) => all.push(...part.subarray(from, from + length)));
  return all;
};

it('plays in the order of sending, across pieces', () => {
  const ring = new SoundRing();
  for (const piece of [bytes(1, 2, 3), bytes(), bytes(4), bytes(5, 6, 7)]) ring.add(piece);
  expect(ring.waiting).toBe(7);
  expect(played(ring, 2)).toEqual([1, 2]);
  expect(played(ring, 0)).toEqual([]);
  expect(played(ring, 3)).toEqual([3, 4, 5]);
  ring.add(bytes(8));
  expect(ring.waiting).toBe(3);
  expect(played(ring, 100)).toEqual([6, 7, 8]);
  expect(ring.waiting).toBe(0);
  expect(played(ring, 1)).toEqual([]);
});

it('plays nothing of what was dropped', () => {
  const ring = new SoundRing();
  ring.add(bytes(1, 2, 3));
  expect(played(ring, 1)).toEqual([1]);
  ring.drop();
  expect(ring.waiting).toBe(0);
  ring.add(bytes(4, 5));
  expect(played(ring, 9)).toEqual([4, 5]);
});

it('plays what it was sent, however much waits and wherever its memory begins anew', () => {
  const ring = new SoundRing();
  const expected: number[] = [];
  const found: number[] = [];
  let next = 0;
  // More waits from turn to turn, far beyond what it begins with, and then less.
  for (let turn = 0; turn < 60; turn += 1) {
    const sent = turn < 30 ? 1_601 : 97;
    const piece = Uint8Array.from({ length: sent }, () => (next = (next + 7) % 251));
    expected.push(...piece);
    ring.add(piece);
    found.push(...played(ring, 1_000));
  }
  found.push(...played(ring, 1_000_000));
  expect(ring.waiting).toBe(0);
  expect(Buffer.from(found).equals(Buffer.from(expected))).toBe(true);
});

it('decodes base64 and encodes what waits, wherever its memory begins anew', () => {
  const ring = new SoundRing();
  const piece = Buffer.from(Uint8Array.from({ length: 1_001 }, (_, at) => (at * 7) % 251));
  let sent = Buffer.alloc(0);
  for (let turn = 0; turn < 40; turn += 1) {
    expect(ring.addBase64(piece.toString('base64'))).toBe(1_001);
    sent = Buffer.concat([sent, piece]);
    // Seven pieces wait, in a ring of eight.
    if (turn >= 7) {
      ring.skip(1_001);
      sent = sent.subarray(1_001);
    }
    expect(ring.waiting).toBe(sent.byteLength);
    expect(ring.base64(500, sent.byteLength - 500)).toBe(sent.subarray(500).toString('base64'));
  }
});

it('does not keep a piece that it was given', () => {
  const ring = new SoundRing();
  const piece = bytes(1, 2, 3);
  ring.add(piece);
  piece[0] = 9;
  ring.skip(1);
  expect(played(ring, 3)).toEqual([2, 3]);
  ring.skip(5);
  expect(ring.waiting).toBe(0);
});
