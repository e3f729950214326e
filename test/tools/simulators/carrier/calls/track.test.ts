import { expect, test } from 'vitest';
import { Track } from '../../../../../tools/simulators/carrier/calls/track.js';

test('a track keeps what was added in order, and two minutes of it', () => {
  const track = new Track();
  const frame = Buffer.from(Array.from({ length: 150 }, (_, place) => place));
  for (let index = 0; index < 7_000; index += 1) track.add(frame);
  expect(track.all()).toEqual(Buffer.alloc(960_000, frame));
  expect(new Track().all()).toHaveLength(0);
});
