import { expect, test } from 'vitest';
import { AudioTrackBuffer } from '../../../../../tools/simulators/carrier/calls/audio-track-buffer.js';

test('a track keeps what was added in order, and two minutes of it', () => {
  const track = new AudioTrackBuffer();
  const frame = Buffer.from(Array.from({ length: 150 }, (_, place) => place));
  for (let index = 0; index < 7_000; index += 1) track.add(frame);
  expect(track.all()).toEqual(Buffer.alloc(960_000, frame));
  expect(new AudioTrackBuffer().all()).toHaveLength(0);
});
