import { describe, expect, it } from 'vitest';
import { hasTooManyValues, mostJsonValues } from '../../../api/http/read-body.js';

const tooMany = (text: string) => hasTooManyValues(Buffer.from(text));
const listOf = (count: number) => `[${Array(count).fill('0').join(',')}]`;

describe('hasTooManyValues', () => {
  it('counts values up to the limit', () => {
    expect(tooMany(listOf(mostJsonValues - 1))).toBe(false);
    expect(tooMany(listOf(mostJsonValues))).toBe(true);
    expect(tooMany('['.repeat(mostJsonValues + 1))).toBe(true);
    expect(tooMany(`{"a":[${Array(mostJsonValues).fill('{}').join(',')}]}`)).toBe(true);
  });

  it('ignores separators within strings', () => {
    expect(tooMany(JSON.stringify({ text: ',[{:'.repeat(mostJsonValues) }))).toBe(false);
    expect(tooMany(JSON.stringify({ text: '\\",["'.repeat(mostJsonValues) }))).toBe(false);
  });

  it('accepts input that is not JSON', () => {
    expect(tooMany('"never ends')).toBe(false);
    expect(tooMany('"\\')).toBe(false);
    expect(tooMany('')).toBe(false);
  });
});
