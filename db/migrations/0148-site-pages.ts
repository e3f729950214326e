import type { Knex } from 'knex';
import { tenantKey, tenantTable, timestamps, uuid } from './tenant-table.js';

/** Pages of sites, their documents in each locale, revisions and earlier slugs (docs/decisions/0190-pages-of-sites.md). */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(
    [
      tenantTable(
        'site_pages',
        `${uuid},
         site_id bigint not null,
         slug text not null,
         published_at timestamptz,
         publish_at timestamptz,
         scheduled_by_member_id bigint,
         scheduled_api_key_id bigint,
         publish_failure text,
         source_metadata jsonb not null default '{}',
         source_html text,
         source_markdown text,
         source_url text,
         crawled_at timestamptz,
         created_by_member_id bigint,
         ${timestamps},
         unique (workspace_id, site_id, slug),
         check (publish_at is null or scheduled_by_member_id is not null),
         ${tenantKey('site_id', 'sites', 'on delete cascade')},
         ${tenantKey('scheduled_by_member_id', 'members')},
         ${tenantKey('created_by_member_id', 'members')}`,
      ),
      // The published columns are what visitors read: a copy, made when the page is published.
      tenantTable(
        'site_page_documents',
        `page_id bigint not null,
         site_id bigint not null,
         locale text not null,
         version integer not null default 1,
         title text not null,
         meta_description text,
         content jsonb not null,
         html text not null,
         markdown text not null,
         amp text not null,
         content_bytes integer not null,
         edited_by_member_id bigint,
         kept_at timestamptz,
         published_version integer,
         published_title text,
         published_meta_description text,
         published_content jsonb,
         published_html text,
         published_markdown text,
         published_amp text,
         published_at timestamptz,
         ${timestamps},
         unique (workspace_id, page_id, locale),
         check ((published_version is null) = (published_html is null)),
         ${tenantKey('page_id', 'site_pages', 'on delete cascade')},
         ${tenantKey('site_id', 'sites', 'on delete cascade')},
         ${tenantKey('edited_by_member_id', 'members')}`,
      ),
      tenantTable(
        'site_page_revisions',
        `document_id bigint not null,
         number integer not null,
         version integer not null,
         reason text not null check (reason in ('edited', 'published', 'restored')),
         title text not null,
         meta_description text,
         content jsonb not null,
         edited_by_member_id bigint,
         edited_at timestamptz not null,
         created_at timestamptz not null,
         unique (workspace_id, document_id, number),
         ${tenantKey('document_id', 'site_page_documents', 'on delete cascade')},
         ${tenantKey('edited_by_member_id', 'members')}`,
      ),
      tenantTable(
        'site_page_slugs',
        `site_id bigint not null,
         page_id bigint not null,
         slug text not null,
         created_at timestamptz not null default now(),
         unique (workspace_id, site_id, slug),
         ${tenantKey('site_id', 'sites', 'on delete cascade')},
         ${tenantKey('page_id', 'site_pages', 'on delete cascade')}`,
      ),
      tenantTable(
        'site_menu_items',
        `site_id bigint not null,
         parent_id bigint,
         page_id bigint,
         label text not null,
         item_type text not null check (item_type in ('page', 'url', 'products', 'none')),
         url text,
         icon text,
         css_class text,
         target text check (target in ('_self', '_blank')),
         position integer not null,
         is_active boolean not null default true,
         translations jsonb not null default '{}',
         ${timestamps},
         check (page_id is null or item_type = 'page'),
         check (url is null or item_type = 'url'),
         ${tenantKey('site_id', 'sites', 'on delete cascade')},
         ${tenantKey('parent_id', 'site_menu_items', 'on delete cascade')},
         ${tenantKey('page_id', 'site_pages', 'on delete cascade')}`,
      ),
      `create index on site_pages (workspace_id, site_id, created_at, id);
       create index on site_pages (workspace_id, site_id, updated_at, id);
       create index on site_pages (workspace_id, publish_at) where publish_at is not null;
       create index on site_pages (workspace_id, scheduled_by_member_id) where scheduled_by_member_id is not null;
       create index on site_pages (workspace_id, created_by_member_id);
       create index on site_page_documents (workspace_id, site_id) include (content_bytes);
       create index on site_page_documents (workspace_id, edited_by_member_id);
       create index on site_page_revisions (workspace_id, edited_by_member_id);
       create index on site_page_slugs (workspace_id, page_id);
       create index on site_menu_items (workspace_id, site_id, position);
       create index on site_menu_items (workspace_id, parent_id) where parent_id is not null;
       create index on site_menu_items (workspace_id, page_id) where page_id is not null;
       create index on sites (workspace_id, home_page_id) where home_page_id is not null;
       alter table sites add ${tenantKey('home_page_id', 'site_pages', 'on delete set null (home_page_id)')};`,
    ].join('\n'),
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table sites drop constraint sites_workspace_id_home_page_id_fkey;
    drop index sites_workspace_id_home_page_id_idx;
    update sites set home_page_id = null, page_count = 0;
    drop table site_menu_items, site_page_slugs, site_page_revisions, site_page_documents, site_pages;`);
}
