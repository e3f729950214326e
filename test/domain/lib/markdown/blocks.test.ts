import { describe, expect, it } from 'vitest';
import { htmlOf } from '../../../../activities/channels/email-content.js';
import { blocks } from '../../../../domain/lib/markdown/blocks.js';
import { processorMs } from '../../../support/lib/processor-ms.js';
import { shown } from './shown.js';

const compact = (html: string) => html.replaceAll('\n', '').replaceAll(' />', '>');

describe('Markdown', () => {
  it.each(shown)('with %s is shown so in mail', (_what, text, html) => {
    expect(compact(htmlOf(text))).toBe(html);
  });

  it.each([
    ['quotations', '> '],
    ['marks of quotations', '>'],
    ['lines of quotations', '> 1\n'],
    ['bullets', '- '],
    ['lists', '- a\n'],
    ['numbers', '1. '],
    ['numbered lines', '1. a\n'],
    ['pairs of numbers', '1. a\n2. b\n'],
    ['brackets', '['],
    ['links', '[a]('],
    ['emphases', '*a_'],
    ['strong words', '**a'],
    ['stars', '*'],
    ['struck words', '~~a'],
    ['code', '`a``'],
    ['fences', '```\n'],
    ['tables', '|a|\n|-|\n'],
    ['cells', '|'],
    ['addresses', 'https://a)'],
    ['brackets of addresses', 'https://a))))))'],
    ['addresses of mail', 'a@a.'],
    ['backslashes', '\\'],
    ['angles', '<a '],
    ['lines', 'a\n'],
    ['headings', '# a\n'],
    ['rules', '---\n'],
  ])('is read soon, with 12,000 characters of %s and a mebibyte', (_what, part) => {
    for (const length of [12_000, 1_048_576]) {
      const text = part.repeat(Math.ceil(length / part.length)).slice(0, length);
      const time = processorMs(() => {
        let letters = 0;
        blocks(text, (_name, _attributes, children) => {
          for (const child of children) letters += typeof child === 'string' ? child.length : 0;
          return {};
        });
        expect(letters).toBeGreaterThanOrEqual(0);
      });
      expect(time).toBeLessThan(3_000);
    }
  });
});
