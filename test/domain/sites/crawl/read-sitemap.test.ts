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
