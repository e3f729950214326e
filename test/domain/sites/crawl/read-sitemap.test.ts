import { expect, test } from 'vitest';
import { readSitemap } from '../../../../domain/sites/crawl/read-sitemap.js';

const pages = (...urls: string[]) =>
  `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls
    .map((url) => `<url><loc>${url}</loc><lastmod>2026-01-01</lastmod></url>`)
    .join('')}</urlset>`;

test('the addresses of a sitemap are read, with entities and CDATA', async () => {
  const xml = pages(' https://a.example/?a=1&amp;b=2 ', '<![CDATA[https://a.example/c]]>');
  expect(await readSitemap(xml, 10)).toEqual({
    kind: 'pages',
    urls: ['https://a.example/?a=1&b=2', 'https://a.example/c'],
  });
});

test('an index leads to sitemaps', async () => {
  const xml = '<sitemapindex><sitemap><loc>https://a.example/1.xml</loc></sitemap></sitemapindex>';
  expect(await readSitemap(xml, 10)).toEqual({ kind: 'sitemaps', urls: ['https://a.example/1.xml'] });
});

test('addresses of images and beyond the bound are not taken', async () => {
  const xml = `<urlset xmlns:image="x"><url><loc>https://a.example/1</loc><image:image><image:loc>https://a.example/i</image:loc></image:image></url>
    ${'<url><loc>https://a.example/2</loc></url>'.repeat(100)}</urlset>`;
  expect((await readSitemap(xml, 3))?.urls).toEqual([
    'https://a.example/1',
    'https://a.example/2',
    'https://a.example/2',
  ]);
});

test('what comes before an error is read, and nothing of a document type', async () => {
  expect(
    (await readSitemap('<urlset><url><loc>https://a.example/1</loc></url></broken>', 9))?.urls,
  ).toHaveLength(1);
  const bomb =
    '<!DOCTYPE u [<!ENTITY a "aaaa">]><urlset><url><loc>https://a.example/&a;</loc></url></urlset>';
  expect((await readSitemap(bomb, 9))?.urls ?? []).toEqual([]);
  expect(await readSitemap('<html><body>Not found</body></html>', 9)).toBeUndefined();
  expect(await readSitemap('', 9)).toBeUndefined();
});

const one = '<url><loc>https://a.example/1</loc></url>';
const two = '<url><loc>https://a.example/2</loc></url>';
const both = ['https://a.example/1', 'https://a.example/2'];

test.each([
  ['a blank line before the declaration', `\n\n<?xml version="1.0"?><urlset>${one}${two}</urlset>`],
  ['a byte order mark', `\ufeff<?xml version="1.0"?><urlset>${one}${two}</urlset>`],
  ['a document type', `<?xml version="1.0"?><!DOCTYPE urlset><urlset>${one}${two}</urlset>`],
  [
    'a stylesheet and comments',
    `<?xml-stylesheet href="a.xsl"?><!-- x --><urlset>${one}${two}</urlset><!-- y -->`,
  ],
  ['a prefix', `<s:urlset xmlns:s="x">${`${one}${two}`.replace(/<(\/?)/g, '<$1s:')}</s:urlset>`],
  ['lines of addresses', 'https://a.example/1\r\nhttps://a.example/2\r\n'],
  ['lines and a byte order mark', '\ufeffhttps://a.example/1\nhttps://a.example/2'],
])('a sitemap with %s is read to its end', async (_what, text) => {
  expect(await readSitemap(text, 10)).toEqual({ kind: 'pages', urls: both });
});

test('addresses whose signs are not escaped are read, and those after them', async () => {
  const xml = `<urlset><url><loc>https://a.example/?a=1&b=2</loc></url>${two}</urlset>`;
  expect(await readSitemap(xml, 10)).toEqual({
    kind: 'pages',
    urls: ['https://a.example/?a=1&b=2', 'https://a.example/2'],
  });
});

test.each([
  ['is cut between addresses', `<urlset>${one}${two}`],
  ['is cut within an address', `<urlset>${one}${two}<url><loc>https://a.exa`],
  ['has other lines than addresses', 'https://a.example/1\nhttps://a.example/2\nand more'],
  ['has more than is read', `<urlset>${one}${two}${one}</urlset>`],
])('a sitemap that %s is read in part, and says so', async (_what, text) => {
  expect(await readSitemap(text, 2)).toEqual({ kind: 'pages', urls: both, isPartial: true });
});

test.each(['just words', '   ', 'https', '<rss><channel/></rss>'])('%j is no sitemap', async (text) => {
  expect(await readSitemap(text, 10)).toBeUndefined();
});
