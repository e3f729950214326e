import type { Knex } from 'knex';

/**
 * Audio tokens of a model call, and whether its numbers are an estimate. In a transaction of its own, because the previous
 * release books calls, and would wait while this waits for chats. Databases of the days before have the columns.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table token_usage
      add column if not exists audio_input_tokens integer not null default 0,
      add column if not exists audio_output_tokens integer not null default 0,
      add column if not exists is_estimated boolean not null default false;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table token_usage drop column audio_input_tokens, drop column audio_output_tokens,
      drop column is_estimated;
  `);
}
