import type { Knex } from 'knex';

/** How callers prove who they are (docs/decisions/0158-callers-prove-who-they-are.md). */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table identity.workspaces add column voice_identity jsonb;
    alter table workflow_definitions add column voice_identity jsonb;
    alter table phone_calls
      add column identity_tries integer not null default 0,
      add column identity_keys jsonb,
      add column identity_proved_at timestamptz;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table phone_calls
      drop column identity_tries, drop column identity_keys, drop column identity_proved_at;
    alter table workflow_definitions drop column voice_identity;
    alter table identity.workspaces drop column voice_identity;
  `);
}
