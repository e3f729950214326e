import type { Knex } from 'knex';

/** What callers are told, or asked, before a call is recorded (docs/decisions/0159-recording-notices.md). */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table identity.workspaces
      add column recording_notice jsonb,
      add column recording_consent text not null default 'notice' check (recording_consent in ('notice', 'ask'));
    alter table phone_calls
      add column recording_notice jsonb,
      add column recording_consent text check (recording_consent in
        ('told', 'asked', 'agreed', 'refused', 'unanswered', 'machine')),
      add column recording_noticed_at timestamptz;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table phone_calls
      drop column recording_notice, drop column recording_consent, drop column recording_noticed_at;
    alter table identity.workspaces drop column recording_notice, drop column recording_consent;
  `);
}
