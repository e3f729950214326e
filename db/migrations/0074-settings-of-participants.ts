import type { Knex } from 'knex';

/** The models of an assistant in one chat, which take precedence over those of the chat and of the assistant. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(
    `alter table chat_participants
       add column chat_model_id text,
       add column realtime_model_id text,
       add column chat_model_config jsonb,
       add column realtime_model_config jsonb`,
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(
    `alter table chat_participants
       drop column chat_model_id,
       drop column realtime_model_id,
       drop column chat_model_config,
       drop column realtime_model_config`,
  );
}
