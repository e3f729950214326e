import { expect, it } from 'vitest';
import { releasing } from '../../../api/http/uploads/release.js';

async function* pieces(...given: Uint8Array[]) {
  yield* given;
}

it('the memory of a piece is free once the next is asked for, unless it is shared or small', async () => {
  const whole = new Uint8Array(4_096).fill(1);
  const shared = new Uint8Array(8_192).fill(2);
  const ofParser = new Uint8Array([3]);
  const small = Buffer.from('from the pool');
  const seen: number[][] = [];
  for await (const piece of releasing(pieces(whole, shared.subarray(1), small, ofParser))) {
    seen.push([...piece.subarray(0, 3)]);
  }
  expect(seen).toEqual([[1, 1, 1], [2, 2, 2], [...Buffer.from('fro')], [3]]);
  expect(whole.length).toBe(0);
  expect(shared).toHaveLength(8_192);
  expect([...ofParser]).toEqual([3]);
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
