import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { catalogueWith } from '../support/lib/models.js';

const page = readFileSync(new URL('../../docs/usage.md', import.meta.url), 'utf8');

it('docs/usage.md has the prices of the chat models of the catalogue', () => {
  const prices = catalogueWith()
    .models.filter(({ type }) => type === 'chat')
    .map(({ id, multiplier, inputMultiplier, outputMultiplier, cachedMultiplier }) => {
      const cells = [`\`${id}\``, multiplier, inputMultiplier, outputMultiplier, cachedMultiplier];
      return `| ${cells.join(' | ')} |`;
    });

  expect(page.split('\n').filter((line) => line.includes(':chat:'))).toEqual(prices);
});
