import type { Knex } from 'knex';
import { tenantKey, tenantTable, timestamps, uuid } from './tenant-table.js';

/**
 * Crawls that read other sites into sites (docs/decisions/0201-crawls.md): the last one of each site, and the addresses that are known
 * of its source. `identity.crawl_hosts` is when a host may be asked next, by whichever workspace.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(
    [
      tenantTable(
        'site_crawls',
        `${uuid},
         site_id bigint not null,
         number integer not null default 1,
         status text not null check (status in ('running', 'completed', 'failed', 'cancelled')),
         start_url text not null,
         host text not null,
         page_limit integer not null check (page_limit > 0),
         excluded_tags text[] not null,
         is_conditional boolean not null,
         robots text,
         delay_ms integer,
         found integer not null default 0,
         read integer not null default 0,
         refusals integer not null default 0,
         started_by_member_id bigint not null,
         started_api_key_id bigint,
         deadline_at timestamptz not null,
         ${timestamps},
         unique (workspace_id, site_id),
         ${tenantKey('site_id', 'sites', 'on delete cascade')},
         ${tenantKey('started_by_member_id', 'members')}`,
      ),
      tenantTable(
        'site_crawl_urls',
        `site_id bigint not null,
         crawl_number integer not null,
         url text not null,
         url_hash text collate "C" not null,
         path_hash text collate "C" not null,
         kind text not null check (kind in ('page', 'sitemap')),
         depth integer not null,
         redirects integer not null default 0,
         state text not null check (state in ('queued', 'done')),
         attempts integer not null default 0,
         retry_at timestamptz,
         outcome text,
         http_status integer,
         page_id bigint,
         locale text,
         written_version integer,
         etag text,
         last_modified text,
         content_hash text collate "C",
         fetched_at timestamptz,
         ${timestamps},
         unique (workspace_id, site_id, url_hash),
         check ((state = 'done') = (outcome is not null)),
         ${tenantKey('site_id', 'sites', 'on delete cascade')},
         ${tenantKey('page_id', 'site_pages', 'on delete set null (page_id)')}`,
      ),
      `create index on site_crawls (workspace_id, id) where status = 'running';
       create index on site_crawls (workspace_id, started_by_member_id);
       create index on site_crawl_urls (workspace_id, site_id, crawl_number, depth, id) where state = 'queued';
       create index on site_crawl_urls (workspace_id, site_id, id);
       create index on site_crawl_urls (workspace_id, site_id, path_hash);
       create index on site_crawl_urls (workspace_id, site_id, content_hash) where content_hash is not null;
       create index on site_crawl_urls (workspace_id, page_id) where page_id is not null;`,
      `create table identity.crawl_hosts (
         host_hash bytea primary key,
         free_at timestamptz not null,
         held_until timestamptz
       );
       create index on identity.crawl_hosts (free_at);
       grant select, insert, update, delete on identity.crawl_hosts to wes_app;`,
    ].join('\n'),
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table identity.crawl_hosts;
    drop table site_crawl_urls, site_crawls;
    update sites set crawl = false where crawl;`);
}
