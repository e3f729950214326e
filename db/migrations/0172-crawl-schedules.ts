import type { Knex } from 'knex';
import { timestamps } from './tenant-table.js';

/**
 * Crawls that are begun again every day or week (docs/decisions/0207-crawls-by-schedule.md). What is due is looked for in all workspaces
 * at once, and so before one is known. A crawl that an AI client has started ends with its grant.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
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

    alter table site_crawls add column started_oauth_grant_id bigint;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table site_crawls drop column started_oauth_grant_id;
    drop table identity.site_crawl_schedules;
  `);
}
