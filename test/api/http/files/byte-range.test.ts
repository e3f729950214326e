import { describe, expect, it } from 'vitest';
import { readRange } from '../../../../api/http/files/byte-range.js';

const of100 = (header: string) => readRange(header, 100);

describe('a Range header', () => {
  it.each([
    ['a first part', 'bytes=0-9', 0, 9],
    ['a single byte', 'bytes=99-99', 99, 99],
    ['a part to the end', 'bytes=40-', 40, 99],
    ['an end beyond the file', 'bytes=90-500', 90, 99],
    ['a suffix', 'bytes=-10', 90, 99],
    ['a suffix longer than the file', 'bytes=-500', 0, 99],
    ['blanks and another case', 'Bytes= 0-9 ,\t10-19', 0, 19],
    ['overlapping ranges', 'bytes=0-59,50-79', 0, 79],
    ['a range within another one', 'bytes=0-59,10-19', 0, 59],
    ['adjacent ranges in the wrong order', 'bytes=50-99,0-49', 0, 99],
    ['the same range many times', `bytes=${Array(100).fill('0-9').join(',')}`, 0, 9],
    ['a range beyond the end beside one within', 'bytes=200-300,0-9', 0, 9],
    ['a suffix of nothing beside a range', 'bytes=-0,5-9', 5, 9],
  ])('is answered with one range: %s', (_, header, start, end) => {
    expect(of100(header)).toEqual({ start, end });
  });

  it.each([
    ['a start beyond the end', 'bytes=100-'],
    ['ranges beyond the end', 'bytes=100-200,1000-'],
    ['a suffix of nothing', 'bytes=-0'],
    ['a number beyond every file', 'bytes=99999999999999999999999-'],
  ])('cannot be satisfied: %s', (_, header) => {
    expect(of100(header)).toBe('unsatisfiable');
  });

  it('cannot be satisfied in an empty file', () => {
    expect([readRange('bytes=0-', 0), readRange('bytes=-5', 0)]).toEqual(['unsatisfiable', 'unsatisfiable']);
  });

  it.each([
    ['another unit', 'lines=0-9'],
    ['no unit', '0-9'],
    ['no range', 'bytes='],
    ['no number', 'bytes=-'],
    ['letters', 'bytes=a-b'],
    ['an end before its start', 'bytes=9-0'],
    ['one invalid range among valid ones', 'bytes=0-9,x'],
    ['a sign', 'bytes=+0-9'],
    ['a fraction', 'bytes=0.5-9'],
    ['a header that came twice', 'bytes=0-9, bytes=10-19'],
    ['ranges with a gap', 'bytes=0-9,20-29'],
    ['more ranges than a reader needs', `bytes=${Array(101).fill('0-9').join(',')}`],
  ])('is ignored, so that the whole is answered: %s', (_, header) => {
    expect(of100(header)).toBeUndefined();
  });
});
