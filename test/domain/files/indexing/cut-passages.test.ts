import { expect, test } from 'vitest';
import { cutPassages } from '../../../../domain/files/indexing/cut-passages.js';

const longest = 1_800;

test('a short text is one passage, with its paragraphs', () => {
  expect(cutPassages('Opening hours\n\n\nMonday to   Friday')).toEqual(['Opening hours\nMonday to Friday']);
});

test('a text without words has no passages', () => {
  expect(cutPassages(' \n\n \t ')).toEqual([]);
});

test('passages end at paragraphs, and the next one begins with the last words', () => {
  const paragraphs = Array.from(
    { length: 20 },
    (_, at) => `Paragraph ${at}: ${'word '.repeat(40)}end ${at}.`,
  );
  const passages = cutPassages(paragraphs.join('\n\n'));
  expect(passages.length).toBeGreaterThan(4);
  for (const [at, passage] of passages.entries()) {
    expect(passage).toMatch(/end \d+\.$/);
    expect(passage.length).toBeLessThan(longest);
    if (at > 0) expect(passages[at - 1]).toContain(passage.split('\n')[0]);
  }
  for (const paragraph of paragraphs)
    expect(passages.some((passage) => passage.includes(paragraph))).toBe(true);
});

test.each([
  ['one paragraph of sentences', 'A sentence of some words. '.repeat(2_000)],
  ['one sentence', 'word '.repeat(20_000)],
  ['one word', 'x'.repeat(100_000)],
  ['one run of characters of two units', '😀'.repeat(50_000)],
])('%s is cut below the limit of passages, and between characters', (_what, text) => {
  const passages = cutPassages(text);
  expect(Math.max(...passages.map((passage) => passage.length))).toBeLessThan(longest);
  for (const passage of passages) expect(passage).not.toMatch(/\p{Surrogate}/u);
  expect(passages.join('').replace(/\s/g, '').length).toBeGreaterThanOrEqual(text.replace(/\s/g, '').length);
});

test('characters that the database does not store become spaces', () => {
  expect(cutPassages('a\0b\ud800c\u0007d')).toEqual(['a b c d']);
});
