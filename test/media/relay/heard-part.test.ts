import { describe, expect, test } from 'vitest';
import { heardPart } from '../../../media/relay/heard-part.js';

const texts = ['One moment, please. ', 'Your order has left. It comes on Monday.'];
const heardOf = (given: readonly string[], heard: string, ms = 0) => {
  const { index, length } = heardPart(given, heard, ms);
  return [...given.slice(0, index), given[index]?.slice(0, length) ?? ''].filter((text) => text !== '');
};

describe('heardPart', () => {
  test.each([
    ['a part of the first', 'One moment', ['One moment']],
    ['all of the first', 'One moment, please.', ['One moment, please. ']],
    ['the first and a part of the second', 'One moment, please. Your order', [texts[0], 'Your order']],
    ['a part of the second alone', 'Your order has', [texts[0], 'Your order has']],
    ['a later sentence alone', 'It comes', [texts[0], 'Your order has left. It comes']],
    ['other spaces', 'Your  order\nhas', [texts[0], 'Your order has']],
    ['everything', 'It comes on Monday.', texts],
  ])('finds %s', (_, heard, expected) => {
    expect(heardOf(texts, heard)).toEqual(expected);
  });

  test('goes by the time where no known words were heard, and by whole words', () => {
    expect(heardOf(texts, '', 0)).toEqual([]);
    expect(heardOf(texts, 'something else', 10 * 65)).toEqual(['One moment,'.slice(0, 4)]);
    expect(heardOf(texts, '', 22 * 65)).toEqual([texts[0]]);
    expect(heardOf(texts, '', 1e6)).toEqual(texts);
    expect(heardOf([], 'x', 100)).toEqual([]);
  });
});
