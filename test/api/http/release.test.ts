import { expect, it } from 'vitest';
import { releasing } from '../../../api/http/uploads/release.js';

async function* pieces(...given: Uint8Array[]) {
  yield* given;
}

it('the memory of a piece is free once the next is asked for, unless it is shared', async () => {
  const whole = new Uint8Array([1, 2, 3]);
  const shared = new Uint8Array([4, 5, 6, 7]);
  const small = Buffer.from('from the pool');
  const seen: number[][] = [];
  for await (const piece of releasing(pieces(whole, shared.subarray(1), small, new Uint8Array([8])))) {
    seen.push([...piece.subarray(0, 3)]);
  }
  expect(seen).toEqual([[1, 2, 3], [5, 6, 7], [...Buffer.from('fro')], [8]]);
  expect(whole.length).toBe(0);
  expect([...shared]).toEqual([4, 5, 6, 7]);
  expect(small.toString()).toBe('from the pool');
});

it('many pieces leave no garbage', async () => {
  async function* many() {
    for (let at = 0; at < 2_000; at += 1) yield new Uint8Array(65_536).fill(at);
  }
  const before = process.memoryUsage().arrayBuffers;
  let most = 0;
  for await (const piece of releasing(many())) {
    if (piece[0] === undefined) throw new Error('a piece was empty');
    most = Math.max(most, process.memoryUsage().arrayBuffers - before);
  }
  expect(most).toBeLessThan(8 * 65_536);
});
