import { describe, expect, it } from 'vitest';
import { chooseCandidate } from '../../../providers/carrier/choose-candidate.js';

const body = 'Don’t forget: 9 o’clock – bring your card…';
const claimedAt = new Date('2030-01-01T12:00:00Z');
const at = (seconds: number) => new Date(claimedAt.getTime() + seconds * 1_000);
const choose = (bodies: string[], query: { body?: string; soleAttempt?: boolean } = {}) =>
  chooseCandidate(
    bodies.map((text) => ({ body: text, dateCreated: at(1) })),
    { body, claimedAt, ...query },
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

  it.each([
    ['was sent since', [83, 1]],
    ['was sent before', [-20, 1]],
    ['was sent at the same second, and later', [1, 1]],
  ])('is not one with the same text that %s', (_, seconds) => {
    const listed = seconds.map((after, place) => ({ body, dateCreated: at(after), place }));
    const expected = seconds.indexOf(1);

    expect(chooseCandidate(listed, { body, claimedAt })?.place).toBe(expected);
  });

  it('is not any message where the text has no letters', () => {
    expect(choose(['Another.'], { body: '👍' })).toBeUndefined();
  });
});
