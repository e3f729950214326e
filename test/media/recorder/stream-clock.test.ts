import { expect, it } from 'vitest';
import { StreamClock } from '../../../media/recorder/stream-clock.js';

function clockAt() {
  const time = { now: 1_000 };
  return { time, clock: new StreamClock(() => time.now) };
}

it('counts from the beginning of the stream, before the first frame', () => {
  const { time, clock } = clockAt();
  time.now = 1_250;
  expect(clock.elapsedMs).toBe(250);
});

it('places a frame by its timestamp, however late it comes', () => {
  const { time, clock } = clockAt();
  time.now = 1_400;
  expect(clock.place(0, 20)).toBe(0);
  expect(clock.place(20, 20)).toBe(20);
  expect(clock.place(360, 20)).toBe(360);
});

it('follows a clock that runs at another speed', () => {
  const { time, clock } = clockAt();
  for (let stamp = 0; stamp < 600_000; stamp += 20) {
    time.now = 1_000 + (stamp + 20) * 1.001;
    clock.place(stamp, 20);
  }
  expect(clock.elapsedMs).toBeGreaterThan(600_000 - 1);
  expect(clock.elapsedMs).toBeLessThan(600_000 + 11);
});

it.each([
  ['count from another beginning', (stamp: number) => stamp + 1_700_000_000_000],
  ['are missing', () => Number.NaN],
])('places frames where they arrive when timestamps %s', (_, stampOf) => {
  const { time, clock } = clockAt();
  const placed = [0, 20, 40, 60].map((stamp) => {
    time.now = 1_000 + stamp + 20;
    return clock.place(stampOf(stamp), 20);
  });
  expect(placed).toEqual([0, 20, 40, 60]);
});
