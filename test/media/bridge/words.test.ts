import { describe, expect, test } from 'vitest';
import { listeningSounds } from '../../../media/bridge/listening-sounds.js';
import { isListening } from '../../../media/bridge/words.js';
import { processorMs } from '../../support/lib/processor-ms.js';

describe('isListening', () => {
  test.each(Object.entries(listeningSounds))('knows the sounds of %s', (_, sounds) => {
    expect(sounds.filter((sound) => !isListening(`${sound}.`))).toEqual([]);
    expect(isListening(sounds.join(', '))).toBe(true);
  });

  test.each(['', ' … ', 'Mhm.', 'Mmmmhmmm', 'HMM', 'Uh-huh, uh-huh.', 'Ähm…', 'हम्म', 'Öhm', '嗯嗯', 'Угууу'])(
    'takes %j for listening',
    (text) => {
      expect(isListening(text)).toBe(true);
      expect(isListening(text.normalize('NFD'))).toBe(true);
    },
  );

  test.each([
    'yes',
    'okay',
    'Um',
    'M',
    'H',
    'no mhm',
    'Mhm, Hans',
    'ja',
    'sí',
    'हाँ',
    'हूँ',
    'はい',
    '是',
    'да',
    '5',
    'eh?',
  ])('takes %j for what it may be: an answer', (text) => {
    expect(isListening(text)).toBe(false);
  });

  test('is decided at once for a very long word', () => {
    const word = `${'m'.repeat(100_000)}x`;
    expect(processorMs(() => expect(isListening(word)).toBe(false))).toBeLessThan(1_000);
  });
});
