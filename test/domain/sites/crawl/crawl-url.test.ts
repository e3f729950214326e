import { expect, test } from 'vitest';
import { readCrawlUrl } from '../../../../domain/sites/crawl/crawl-url.js';

const at = (text: string, base?: string) => readCrawlUrl(text, base)?.url;

test('an address has no fragment and no tracking, and its parameters are in one order', () => {
  expect(at('https://Clinic.example:443/a?b=2&a=1&utm_source=x&fbclid=y#part')).toBe(
    'https://clinic.example/a?a=1&b=2',
  );
  expect(at('../b?', 'https://clinic.example/a/c')).toBe('https://clinic.example/b');
});

test('http and https are one address, a query makes another one of the same path', () => {
  const [plain, secure, query] = [
    'http://a.example/x',
    'https://a.example/x',
    'https://a.example/x?page=2',
  ].map((url) => readCrawlUrl(url));
  expect(plain?.urlHash).toBe(secure?.urlHash);
  expect(query?.urlHash).not.toBe(secure?.urlHash);
  expect(query?.pathHash).toBe(secure?.pathHash);
  expect([secure?.hasQuery, query?.hasQuery]).toEqual([false, true]);
});

test.each([
  ['of another scheme', 'javascript:alert(1)'],
  ['of mail', 'mailto:a@clinic.example'],
  ['with a password', 'https://user:secret@clinic.example/'],
  ['of a picture', 'https://clinic.example/a.JPG?size=2'],
  ['that is too long', `https://clinic.example/${'a'.repeat(1_000)}`],
  ['that is too deep', `https://clinic.example/${Array.from({ length: 13 }, (_, at) => at).join('/')}`],
  ['that repeats itself', 'https://clinic.example/a/b/a/b/a/b'],
  ['that is none', 'https://'],
])('an address %s is not crawled', (_, text) => {
  expect(readCrawlUrl(text)).toBeUndefined();
});

test.each([
  '/topics/node.js',
  '/topics/asp.net',
  '/wiki/three.js',
  '/blog/v1.2',
  '/docs/package.json',
  '/a.html',
])('a page at %s is asked for', (path) => {
  expect(at(`https://clinic.example${path}`)).toBe(`https://clinic.example${path}`);
});
