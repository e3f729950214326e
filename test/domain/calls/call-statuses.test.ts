import { describe, expect, it } from 'vitest';
import { callStatusOf, isFinal, isLater } from '../../../domain/calls/call-statuses.js';
import { faxDetailOf } from '../../../domain/calls/fax-details.js';

const final = ['completed', 'busy', 'no-answer', 'failed', 'canceled'] as const;

describe('the status of a call', () => {
  it('is read from the words of the carrier', () => {
    const words = ['queued', 'initiated', 'ringing', 'in-progress', 'answered', ...final];
    expect(words.map(callStatusOf)).toEqual([
      'pending',
      'pending',
      'ringing',
      'in-progress',
      'in-progress',
      ...final,
    ]);
    expect(['', 'toString', 'on-hold'].map(callStatusOf)).toEqual([undefined, undefined, undefined]);
  });

  it('only goes on, and never from one end to another', () => {
    expect(isLater('ringing', 'pending')).toBe(true);
    expect(isLater('completed', 'pending')).toBe(true);
    expect(isLater('ringing', 'in-progress')).toBe(false);
    expect(isLater('ringing', 'ringing')).toBe(false);
    for (const ended of final) {
      expect(isFinal(ended)).toBe(true);
      for (const late of [...final, 'in-progress', 'ringing'] as const)
        expect(isLater(late, ended)).toBe(false);
    }
    expect(isFinal('in-progress')).toBe(false);
  });
});

describe('the failure detail of a fax', () => {
  it.each([
    ['t30_failed', 'fax_t30_failed'],
    ['T30-FAILED', 'fax_t30_failed'],
    ['no_fax_tone', 'fax_no_tone'],
    ['disconnected', 'fax_disconnected'],
    ['timed-out', 'fax_timeout'],
    ['no_pages', 'fax_no_pages'],
    ['a code of tomorrow', 'fax_t30_failed'],
    ['constructor', 'fax_t30_failed'],
  ])('of %s is %s', (code, detail) => {
    expect(faxDetailOf(code)).toBe(detail);
  });
});
