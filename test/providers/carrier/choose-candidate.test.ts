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

describe('chooseCandidate', () => {
  it('returns the message with the text of the attempt', () => {
    expect(choose(['Another.', body])).toBe(body);
  });

  it.each([
    ['a trial account put a sentence before it', `Sent from your trial account - ${body}`],
    ['smart encoding replaced characters', "Don't forget: 9 o'clock - bring your card..."],
  ])('finds the message when %s', (_, listed) => {
    expect(choose(['Another.', listed])).toBe(listed);
  });

  it('returns the only message of its time when no other attempt is open', () => {
    expect(choose(['Changed beyond recognition'], { soleAttempt: true })).toBe('Changed beyond recognition');
    expect(choose(['Changed beyond recognition'])).toBeUndefined();
    expect(choose(['One', 'Two'], { soleAttempt: true })).toBeUndefined();
  });

  it.each([
    ['was sent since', [83, 1]],
    ['was sent before', [-20, 1]],
    ['was sent at the same second, and later', [1, 1]],
  ])('ignores a message with the same text that %s', (_, seconds) => {
    const listed = seconds.map((after, place) => ({ body, dateCreated: at(after), place }));
    const expected = seconds.indexOf(1);
    expect(chooseCandidate(listed, { body, claimedAt })?.place).toBe(expected);
  });

  describe('among other open attempts of the same text', () => {
    const listedAt = (...seconds: number[]) =>
      seconds.map((after) => ({ body, dateCreated: at(after), after }));
    const choices = (claims: number[], made: number[]) =>
      claims.map((claim, index) => {
        const query = {
          body,
          claimedAt: at(claim),
          claimsBefore: claims.slice(0, index).map(at),
          claimsAfter: claims.slice(index + 1).map(at),
        };
        const listed = listedAt(...made);
        const chosen = chooseCandidate(listed, query);
        return chosen === undefined ? undefined : listed.indexOf(chosen);
      });

    it.each([
      ['within the same second', [0.1, 0.3, 0.5, 0.7], [0, 0, 0, 1], [0, 1, 2, 3]],
      ['at the same moment', [0.1, 0.1, 0.1], [0, 0, 0], [0, 1, 2]],
      ['a while apart, and the first was never sent', [0, 20, 25], [20, 25], [undefined, 0, 1]],
      ['a while apart, and the second was never sent', [0, 20, 25], [0, 25], [0, undefined, 1]],
    ])('returns a different message for each attempt: claimed %s', (_, claims, made, expected) => {
      expect(choices(claims, made)).toEqual(expected);
    });

    it('returns a different message for each attempt even if the clock of the carrier is late', () => {
      expect(choices([0.1, 0.3, 3], [-2, -2, 1]).sort()).toEqual([0, 1, 2]);
    });
  });

  it('returns no message for a text without letters', () => {
    expect(choose(['Another.'], { body: '👍' })).toBeUndefined();
  });
});
