import { describe, expect, it } from 'vitest';
import { PlainWords } from '../../../media/relay/plain-words.js';

/** What is said after each piece, and at the end. */
function saidOf(pieces: string[]): string[] {
  const words = new PlainWords();
  return [...pieces.map((piece) => words.add(piece)), words.end()];
}

describe('words that come in pieces', () => {
  it.each([
    ['without Markdown go on at once', ['Hello, ', 'how are ', 'you?'], ['Hello, ', 'how are ', 'you?', '']],
    [
      'are held from a mark to the end of its sentence',
      ['Bring **your ', 'card**', ' please. Then ', 'wait.'],
      ['Bring ', '', 'your card please. Then ', 'wait.', ''],
    ],
    [
      'of a link wait for its address',
      ['See [the', ' form](https://a.exa', 'mple/f)', ' now'],
      ['See ', '', '', '', 'the form (https://a.example/f) now'],
    ],
    [
      'of a dose stay',
      ['Take 2', '*500 mg and 1*', '250 mg. Rest.'],
      ['Take ', '', '2*500 mg and 1*250 mg. Rest.', ''],
    ],
    [
      'of a list lose their marks',
      ['Bring:\n- a **card**\n', '- water'],
      ['Bring:\n- a card\n', '- water', ''],
    ],
    ['that are cut off in a mark are said as they are', ['It is **nine'], ['It is ', '**nine']],
    ['of a heading', ['## Visit\n', 'At nine'], ['Visit\n', 'At nine', '']],
  ])('%s', (_what, pieces, said) => {
    expect(saidOf(pieces)).toEqual(said);
  });

  it('that are forgotten are not said', () => {
    const words = new PlainWords();
    words.add('It is **ni');
    words.forget();
    expect(words.end()).toBe('');
  });
});
