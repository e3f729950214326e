import { describe, expect, it } from 'vitest';
import { meanAfter } from '../../../../domain/events/webhook-deliveries/record-attempt.js';

describe('meanAfter', () => {
  it('starts with the first duration, and then follows the latest ones', () => {
    expect(meanAfter(0, 200)).toBe(200);
    expect(meanAfter(200, 1_000)).toBe(400);
    expect(meanAfter(15_000, 10)).toBe(11_253);
  });

  it('is at least 1 once a duration is known', () => {
    expect(meanAfter(0, 0)).toBe(1);
  });

  it('returns undefined for a small change, which is not stored', () => {
    expect(meanAfter(200, 210)).toBeUndefined();
    expect(meanAfter(5, 6)).toBeUndefined();
  });
});
