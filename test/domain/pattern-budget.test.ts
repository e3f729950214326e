import { describe, expect, it } from 'vitest';
import { checkPattern, maxPatternedLength } from '../../domain/lib/safe-pattern.js';
import { PatternBudget } from '../../domain/records/field-values.js';

const costly = '.*.*b';
const max = 'a'.repeat(maxPatternedLength);

describe('PatternBudget', () => {
  it('matches whole texts', () => {
    const patterns = new PatternBudget();

    expect(patterns.matches('\\d{4}|[A-Z]+', '2030')).toBe(true);
    expect(patterns.matches('\\d{4}|[A-Z]+', 'AB')).toBe(true);
    expect(patterns.matches('\\d{4}|[A-Z]+', '2030 ')).toBe(false);
    expect(patterns.matches(costly, `${max.slice(2)}ab`)).toBe(true);
    expect(patterns.isExceeded).toBe(false);
  });

  it('allows twenty thousand ordinary values', () => {
    const patterns = new PatternBudget();
    const texts = Array.from({ length: 20_000 }, (_, index) => `AB-${100_000 + index}`);

    expect(texts.every((text) => patterns.matches('[A-Z]{2}-\\d{4,8}', text) === true)).toBe(true);
    expect(patterns.isExceeded).toBe(false);
  });

  it('stops matching for the whole request once patterns have taken too long', () => {
    expect(checkPattern(costly).ok).toBe(true);
    const patterns = new PatternBudget();
    const before = performance.now();

    const answers = Array.from({ length: 2_000 }, () => patterns.matches(costly, max));

    expect(performance.now() - before).toBeLessThan(500);
    expect(answers[0]).toBe(false);
    expect(answers.at(-1)).toBeUndefined();
    expect(patterns.isExceeded).toBe(true);
    expect(patterns.matches('a', 'a')).toBeUndefined();
    expect(new PatternBudget().matches(costly, 'x')).toBe(false);
  });

  it('interrupts a single match that takes too long', () => {
    const patterns = new PatternBudget();
    const before = performance.now();

    // A pattern that an earlier release saved. It would take billions of steps.
    expect(patterns.matches('(?:a|aa)+x', max)).toBeUndefined();

    expect(performance.now() - before).toBeLessThan(500);
  });
});
