import { describe, expect, it } from 'vitest';
import { hasTooManyValues, mostJsonValues } from '../../../api/http/json-values.js';

const tooMany = (text: string) => hasTooManyValues(Buffer.from(text));
const listOf = (count: number) => `[${Array(count).fill('0').join(',')}]`;

describe('the values of a JSON text', () => {
  it('are counted up to a bound', () => {
    expect(tooMany(listOf(mostJsonValues - 1))).toBe(false);
    expect(tooMany(listOf(mostJsonValues))).toBe(true);
    expect(tooMany('['.repeat(mostJsonValues + 1))).toBe(true);
    expect(tooMany(`{"a":[${Array(mostJsonValues).fill('{}').join(',')}]}`)).toBe(true);
  });

  it('are none within texts', () => {
    expect(tooMany(JSON.stringify({ text: ',[{:'.repeat(mostJsonValues) }))).toBe(false);
    expect(tooMany(JSON.stringify({ text: '\\",["'.repeat(mostJsonValues) }))).toBe(false);
  });

  it('are counted in what is no JSON as well', () => {
    expect(tooMany('"never ends')).toBe(false);
    expect(tooMany('"\\')).toBe(false);
    expect(tooMany('')).toBe(false);
  });
});
