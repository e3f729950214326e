import type { Knex } from 'knex';

/**
 * The number of days on which attempts at a rule's receiver have failed since it began to fail, and the latest day
 * (UTC).
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(
    `alter table event_rules add column failing_days integer not null default 0, add column failed_on date;
     update event_rules set failing_days = 1, failed_on = (failing_since at time zone 'UTC')::date
     where failing_since is not null;`,
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table event_rules drop column failing_days, drop column failed_on;');
}
