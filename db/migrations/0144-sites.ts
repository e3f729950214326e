import type { Knex } from 'knex';
import { tenantKey, tenantTable, timestamps, uuid } from './tenant-table.js';

const themes = `'default', 'admin-clinical-trial', 'customer-basic', 'patient-engagement-demo', 'operator-product', 'source-site'`;

/** Public sites of a workspace (docs/decisions/0186-sites-belong-to-a-workspace.md). */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(
    [
      // page_count is kept with the pages, so that a list of sites counts none.
      tenantTable(
        'sites',
        `${uuid},
         name text not null,
         slug text not null,
         theme text not null default 'default' check (theme in (${themes})),
         theme_settings jsonb not null default '{}',
         content text,
         tag_line text,
         meta_description text,
         redirect_url text,
         is_public boolean not null default false,
         is_reseller boolean not null default false,
         allow_signup boolean not null default false,
         signup_member_role_id bigint,
         owner_member_id bigint,
         default_definition_id bigint,
         home_page_id bigint,
         page_count integer not null default 0 check (page_count >= 0),
         assets_folder_id bigint,
         source_folder_id bigint,
         source_release_id bigint,
         primary_locale text not null default 'en-US',
         available_locales text[] not null default '{en-US}',
         google_analytics_id text,
         google_adwords_id text,
         crawl boolean not null default false,
         crawl_url text,
         crawl_limit integer,
         crawl_excluded_tags text[] not null default '{}',
         crawl_job_id text,
         crawl_started_at timestamptz,
         crawl_completed_at timestamptz,
         crawl_completed integer,
         crawl_previous integer,
         crawl_failed_at timestamptz,
         crawl_error text,
         ${timestamps},
         unique (workspace_id, slug),
         check (primary_locale = any(available_locales)),
         ${tenantKey('signup_member_role_id', 'member_roles')},
         ${tenantKey('owner_member_id', 'members')},
         ${tenantKey('default_definition_id', 'workflow_definitions', 'on delete set null (default_definition_id)')},
         ${tenantKey('assets_folder_id', 'folders', 'on delete set null (assets_folder_id)')},
         ${tenantKey('source_folder_id', 'folders', 'on delete set null (source_folder_id)')}`,
      ),
      `create index on sites (workspace_id, signup_member_role_id) where signup_member_role_id is not null;
       create index on sites (workspace_id, owner_member_id);
       create index on sites (workspace_id, default_definition_id) where default_definition_id is not null;
       create index on sites (workspace_id, assets_folder_id) where assets_folder_id is not null;
       create index on sites (workspace_id, source_folder_id) where source_folder_id is not null;
       create index on sites (workspace_id, name, id);
       create index on sites (workspace_id, created_at, id);
       create index on sites (workspace_id, updated_at, id);`,
    ].join('\n'),
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table sites;');
}
