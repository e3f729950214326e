import { timestamps, uuid, withTables } from '../tenant-table.js';

/** Crawls that read other sites into sites (docs/decisions/0201-crawls.md). */
export const crawls = withTables(`
  -- The last crawl of each site. One that an AI client has started ends with its grant.
  create tenant table site_crawls (
    ${uuid},
    site_id bigint not null references sites on delete cascade,
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
    started_by_member_id bigint not null references members,
    started_api_key_id bigint,
    deadline_at timestamptz not null,
    ${timestamps},
    started_oauth_grant_id bigint,
    unique (workspace_id, site_id)
  );
  create index on site_crawls (workspace_id, id) where status = 'running';
  create index on site_crawls (workspace_id, started_by_member_id);

  -- The addresses that are known of the source of a site. leads_to_hash is where one leads that no page was made of
  -- (docs/decisions/0202-pages-of-crawls.md).
  create tenant table site_crawl_urls (
    site_id bigint not null references sites on delete cascade,
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
    page_id bigint references site_pages on delete set null,
    locale text,
    written_version integer,
    etag text,
    last_modified text,
    content_hash text collate "C",
    fetched_at timestamptz,
    ${timestamps},
    leads_to_hash text collate "C",
    unique (workspace_id, site_id, url_hash),
    check ((state = 'done') = (outcome is not null))
  );
  create index on site_crawl_urls (workspace_id, site_id, crawl_number, depth, id) where state = 'queued';
  create index on site_crawl_urls (workspace_id, site_id, id);
  create index on site_crawl_urls (workspace_id, site_id, path_hash);
  create index on site_crawl_urls (workspace_id, site_id, content_hash) where content_hash is not null;
  create index on site_crawl_urls (workspace_id, page_id) where page_id is not null;

  -- When a host may be asked next, by whichever workspace.
  create table identity.crawl_hosts (
    host_hash bytea primary key,
    free_at timestamptz not null,
    held_until timestamptz
  );
  create index on identity.crawl_hosts (free_at);
  grant select, insert, update, delete on identity.crawl_hosts to wes_app;

  -- Crawls that are begun again every day or week (docs/site-crawl.md). What is due is looked
  -- for in all workspaces at once, and so before one is known.
  create table identity.site_crawl_schedules (
    workspace_id bigint not null references identity.workspaces (id),
    site_id bigint not null,
    interval text not null check (interval in ('daily', 'weekly')),
    due_at timestamptz not null,
    set_by_member_id bigint not null,
    set_api_key_id bigint,
    set_oauth_grant_id bigint,
    last_started_at timestamptz,
    last_skipped_at timestamptz,
    skip_reason text,
    ${timestamps},
    primary key (workspace_id, site_id)
  );
  create index site_crawl_schedules_due on identity.site_crawl_schedules (due_at);
  grant select, insert, update, delete on identity.site_crawl_schedules to wes_app;
`);
