import type { Knex } from 'knex';

/** Columns whose change is not published to readers of a chat: those of 0009, and those of this migration. */
const untold = [
  'version',
  'handled_version',
  'revision',
  'changed_revision',
  'message_count',
  'last_message_received_at',
  'updated_at',
];
const untoldFromNowOn = [...untold, 'agent_held_since', 'agent_held_until'];

/**
 * The columns by which an attempt is identified, a message expires or is superseded, and a chat waits for a model; and
 * the time up to which a carrier's inbound messages have been taken.
 *
 * Open deliveries get a full life span from the migration on. The default of `expires_at` serves the previous release.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table deliveries
      add column claim_token uuid,
      add column look_ups integer not null default 0,
      add column expires_at timestamptz not null default now() + interval '4 hours',
      add column order_group timestamptz;
    alter table event_rule_notices add column claim_token uuid;
    alter table identity.login_codes add column claim_token uuid;
    alter table chats
      add column agent_held_since timestamptz,
      add column agent_held_until timestamptz;

    ${stampTrigger(untoldFromNowOn)}

    create table identity.carrier_cursors (
      account text primary key,
      taken_until timestamptz not null,
      updated_at timestamptz not null
    );
    grant select, insert, update on identity.carrier_cursors to wes_app;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table identity.carrier_cursors;
    ${stampTrigger(untold)}
    alter table chats drop column agent_held_since, drop column agent_held_until;
    alter table identity.login_codes drop column claim_token;
    alter table event_rule_notices drop column claim_token;
    alter table deliveries drop column claim_token, drop column look_ups, drop column expires_at, drop column order_group;
  `);
}

function stampTrigger(columns: readonly string[]): string {
  const visible = (row: string) => `to_jsonb(${row}) - '{${columns.join(',')}}'::text[]`;
  return `
    drop trigger a_stamp on chats;
    create trigger a_stamp before update on chats for each row
      when (old.revision = new.revision and (${visible('old')}) is distinct from (${visible('new')}))
      execute function stamp_chat();`;
}
