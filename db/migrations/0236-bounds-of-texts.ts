import type { Knex } from 'knex';

/**
 * Where a workspace begins to text, and how many texts and calls it begins within 24 hours. Of texts, those are counted that
 * releases from this one on have marked as begun: the index has no others.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table identity.workspaces
      add column sms_countries text[],
      add column sms_per_day integer not null default 10000 check (sms_per_day between 1 and 100000),
      add column workspace_calls_per_day integer not null default 1000
        check (workspace_calls_per_day between 1 and 10000);
    alter table deliveries add column counts_as_begun boolean not null default false;
    create index deliveries_begun on deliveries (workspace_id, created_at) where counts_as_begun;
    create index deliveries_begun_to on deliveries (workspace_id, recipient, created_at) where counts_as_begun;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table deliveries drop column counts_as_begun;
    alter table identity.workspaces
      drop column sms_countries, drop column sms_per_day, drop column workspace_calls_per_day;
  `);
}
