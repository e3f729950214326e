import type { Knex } from 'knex';

/** Which phone numbers send media: few countries have MMS (docs/decisions/0124-files-are-sent-as-mms.md). */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table phone_numbers add column mms_enabled boolean not null default false');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table phone_numbers drop column mms_enabled');
}
