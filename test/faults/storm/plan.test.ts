import { describe, expect, it } from 'vitest';
import { drawOperations, shares } from './operations.js';
import { describePlan, makePlan, outages, weathers } from './plan.js';

describe('a storm plan', () => {
  it('is the same for the same seed, and different for another', () => {
    expect(makePlan(7)).toEqual(makePlan(7));
    expect(makePlan(7)).not.toEqual(makePlan(8));
  });

  it.each([1, 2, 3, 4, 5])('contains every outage and carrier setting in its range (seed %i)', (seed) => {
    const plan = makePlan(seed);
    expect(plan.operations).toHaveLength(300);
    expect(new Set(plan.outages.map(({ name }) => name))).toEqual(new Set(outages));
    expect(new Set(plan.weathers.map(({ name }) => name))).toEqual(new Set(weathers));
    const places = plan.outages.map(({ at }) => at);
    expect(places).toEqual([...new Set(places)].toSorted((one, other) => one - other));
    expect(places.every((at) => at >= 0 && at < 300)).toBe(true);
    expect(plan.weathers.every(({ at, until }) => at >= 0 && at < until && until <= 300)).toBe(true);
    expect(plan.outages.every(({ forMs }) => forMs >= 500 && forMs <= 2_500)).toBe(true);
  });

  it.each([1, 2, 3, 4, 5])('contains every kind of operation (seed %i)', (seed) => {
    const kinds = new Set(makePlan(seed).operations.map(({ kind }) => kind));
    expect([...kinds].sort()).toEqual(Object.keys(shares).sort());
  });

  it('refers only to earlier chats of the same lane and of the required kind', () => {
    const { operations } = makePlan(11);
    for (const operation of operations) {
      if (!('chat' in operation)) continue;
      const made = operations[operation.chat];
      expect(made?.index).toBeLessThan(operation.index);
      expect(made?.lane).toBe(operation.lane);
      if (operation.kind === 'write') expect(made?.kind).toBe('open_web_chat');
      else expect(made?.kind).toMatch(/^open_|^begin_/);
    }
  });

  it('refers only to earlier files of the same lane that are not deleted', () => {
    const { operations } = makePlan(17, 600);
    const deleted = new Set<number>();
    const named = operations.filter((operation) => 'file' in operation);
    expect(named.length).toBeGreaterThan(5);
    for (const operation of named) {
      const made = operations[operation.file];
      expect([made?.kind, made?.lane]).toEqual(['upload', operation.lane]);
      expect(operation.file).toBeLessThan(operation.index);
      expect(deleted).not.toContain(operation.file);
      if (operation.kind === 'delete_file') deleted.add(operation.file);
    }
  });

  it('lets unknown numbers only send messages', () => {
    const numbers = numbersFrom(0.999);
    const strangers = drawOperations(2_000, numbers).filter(({ lane }) => lane.startsWith('stranger'));
    expect(strangers.every(({ kind }) => kind === 'text')).toBe(true);
  });

  it('is described in a few lines that begin with the seed', () => {
    const lines = describePlan(makePlan(42)).split('\n');
    expect(lines[0]).toBe('storm with seed 42: 300 operations');
    expect(lines).toHaveLength(4);
  });
});

/** Low-discrepancy numbers in the unit interval, so that every share occurs. */
function numbersFrom(start: number): () => number {
  let at = start;
  return () => {
    at = (at + 0.618_033_988_749) % 1;
    return at;
  };
}
