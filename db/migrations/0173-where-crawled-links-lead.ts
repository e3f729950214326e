import type { Knex } from 'knex';

/**
 * Where a crawled address leads that no page was made of: a redirect, the original of a page, or the page of which it is a duplicate
 * (docs/decisions/0208-links-between-crawled-pages.md). Crawls of earlier releases have none, and the next one learns it.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table site_crawl_urls add column leads_to_hash text collate "C"');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table site_crawl_urls drop column leads_to_hash');
}
