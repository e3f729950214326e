import { expect, test } from 'vitest';
import { readRobots, rulesOf } from '../../../../domain/sites/crawl/robots.js';
import { processorMs } from '../../../support/lib/processor-ms.js';

const origin = 'https://clinic.example';
const read = (text: string) => readRobots(rulesOf(text), origin);

test('the group of the crawler holds, else that of everybody', () => {
  const ours = read(
    'User-agent: *\nDisallow: /\n\nUser-agent: workspace-engagement-service\nDisallow: /private\nCrawl-delay: 2',
  );
  expect(ours.allows(`${origin}/a`)).toBe(true);
  expect(ours.allows(`${origin}/private/a`)).toBe(false);
  expect(ours.delayMs).toBe(2_000);
  const everybody = read('User-agent: *\nDisallow: /*.php$\nAllow: /open');
  expect(everybody.allows(`${origin}/a.php`)).toBe(false);
  expect(everybody.allows(`${origin}/open/a`)).toBe(true);
});

test('an address of another host is not allowed', () => {
  expect(read('').allows('https://other.example/')).toBe(false);
  expect(read('').allows(`${origin}/`)).toBe(true);
});

test('a delay of an hour is one of thirty seconds, and one that is no number is none', () => {
  expect(read('User-agent: *\nCrawl-delay: 3600').delayMs).toBe(30_000);
  expect(read('User-agent: *\nCrawl-delay: soon').delayMs).toBeUndefined();
  expect(read('User-agent: *\nCrawl-delay: -5').delayMs).toBeUndefined();
});

test('sitemaps are listed, of which there may be twenty', () => {
  const many = Array.from({ length: 50 }, (_, at) => `Sitemap: ${origin}/${at}.xml`).join('\n');
  expect(read(many).sitemaps).toHaveLength(20);
});

test('rules that would take long to compare are left out', () => {
  const hostile = `User-agent: *\n${`Disallow: /${'*a'.repeat(100)}\n`.repeat(3_000)}${'Disallow: /*a*a*a*a*a*a*a*a\n'.repeat(3_000)}Disallow: /private`;
  const robots = read(hostile);
  const time = processorMs(() => {
    expect(robots.allows(`${origin}/${'a'.repeat(990)}b`)).toBe(false);
    expect(robots.allows(`${origin}/private`)).toBe(false);
  });
  expect(time).toBeLessThan(1_000);
});
