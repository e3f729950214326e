import { describe, expect, it } from 'vitest';
import { chooseCandidate } from '../../../providers/carrier/choose-candidate.js';

const body = 'Don’t forget: 9 o’clock – bring your card…';
const choose = (bodies: string[], query: { body?: string; soleAttempt?: boolean } = {}) =>
  chooseCandidate(
    bodies.map((text) => ({ body: text })),
    { body, ...query },
  )?.body;

describe('the message that an attempt has become', () => {
  it('is the one with its text', () => {
    expect(choose(['Another.', body])).toBe(body);
  });

  it.each([
    ['a trial account put a sentence before it', `Sent from your trial account - ${body}`],
    ['smart encoding replaced characters', "Don't forget: 9 o'clock - bring your card..."],
  ])('is found where %s', (_, listed) => {
    expect(choose(['Another.', listed])).toBe(listed);
  });

  it('is the only one in its time where no other attempt is open', () => {
    expect(choose(['Changed beyond recognition'], { soleAttempt: true })).toBe('Changed beyond recognition');
    expect(choose(['Changed beyond recognition'])).toBeUndefined();
    expect(choose(['One', 'Two'], { soleAttempt: true })).toBeUndefined();
  });

  it('is not any message where the text has no letters', () => {
    expect(choose(['Another.'], { body: '👍' })).toBeUndefined();
  });
});
