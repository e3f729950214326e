import { describe, expect, it } from 'vitest';
import { makePlan } from './plan.js';

describe('a webhook storm plan', () => {
  it('is the same for the same seed, and different for another', () => {
    expect(makePlan(7, 1_000)).toEqual(makePlan(7, 1_000));
    expect(makePlan(7, 1_000)).not.toEqual(makePlan(8, 1_000));
  });

  it.each([1, 2, 3, 4, 5])('kills every process in turn while events arrive (seed %i)', (seed) => {
    const { outages } = makePlan(seed, 1_000);
    const names = outages.map(({ name }) => name);
    expect(names.filter((name) => name === 'worker_killed')).toHaveLength(3);
    expect(names.filter((name) => name === 'temporal_killed')).toHaveLength(2);
    expect(names.filter((name) => name === 'postgres_killed')).toHaveLength(1);
    const places = outages.map(({ atTaken }) => atTaken);
    expect(places).toEqual(places.toSorted((one, other) => one - other));
    expect(places.every((at) => at >= 0 && at < 900)).toBe(true);
  });
});
