import { describe, expect, it } from 'vitest';
import { checkPattern, maxPatternedLength } from '../../domain/lib/safe-pattern.js';
import { PatternBudget } from '../../domain/records/field-values.js';

const costly = '.*.*b';
const longest = 'a'.repeat(maxPatternedLength);

describe('the patterns of one request', () => {
  it('match whole texts', () => {
    const patterns = new PatternBudget();

    expect(patterns.matches('\\d{4}|[A-Z]+', '2030')).toBe(true);
    expect(patterns.matches('\\d{4}|[A-Z]+', 'AB')).toBe(true);
    expect(patterns.matches('\\d{4}|[A-Z]+', '2030 ')).toBe(false);
    expect(patterns.matches(costly, `${longest.slice(2)}ab`)).toBe(true);
    expect(patterns.isExceeded).toBe(false);
  });

  it('have enough for twenty thousand values of the usual kind', () => {
    const patterns = new PatternBudget();
    const texts = Array.from({ length: 20_000 }, (_, index) => `AB-${100_000 + index}`);

    expect(texts.every((text) => patterns.matches('[A-Z]{2}-\\d{4,8}', text) === true)).toBe(true);
    expect(patterns.isExceeded).toBe(false);
  });

  it('are given up together where they take long', () => {
    expect(checkPattern(costly).ok).toBe(true);
    const patterns = new PatternBudget();
    const before = performance.now();

    const answers = Array.from({ length: 2_000 }, () => patterns.matches(costly, longest));

    expect(performance.now() - before).toBeLessThan(500);
    expect(answers[0]).toBe(false);
    expect(answers.at(-1)).toBeUndefined();
    expect(patterns.isExceeded).toBe(true);
    expect(patterns.matches('a', 'a')).toBeUndefined();
    expect(new PatternBudget().matches(costly, 'x')).toBe(false);
  });

  it('are interrupted where a single one takes long', () => {
    const patterns = new PatternBudget();
    const before = performance.now();

    // Saved by an earlier release: it would take some billions of steps.
    expect(patterns.matches('(?:a|aa)+x', longest)).toBeUndefined();

    expect(performance.now() - before).toBeLessThan(500);
  });
});
