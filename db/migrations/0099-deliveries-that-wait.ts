import type { Knex } from 'knex';

const noteDelivery = (isHeldTold: boolean) => `
  create or replace function note_delivery() returns trigger language plpgsql as $$
  begin
    ${
      isHeldTold
        ? `if new.state = 'queued' and new.held_until is distinct from old.held_until then
      perform note_in_timeline(new.workspace_id, new.chat_id, 'delivery', 'held', 'quiet_hours',
        until => new.held_until, message_id => new.message_id);
    els`
        : ''
    }if new.state = 'queued' then
      perform note_in_timeline(new.workspace_id, new.chat_id, 'delivery', 'tried_again',
        until => new.not_before, message_id => new.message_id);
    else
      perform note_in_timeline(new.workspace_id, new.chat_id, 'delivery', new.state, new.failure_reason,
        message_id => new.message_id);
    end if;
    return null;
  end $$;
`;

/**
 * Deliveries that wait for the end of quiet hours (docs/decisions/0138-quiet-hours.md) or for their slot among those of
 * their sender (docs/decisions/0139-a-pace-for-each-number.md). What the previous release writes is begun by
 * nobody, so that it waits for neither.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table deliveries
      add column begun_by text,
      add column held_until timestamptz,
      add column slot_at timestamptz,
      add constraint deliveries_begun_by_check check (begun_by in ('agent', 'task', 'person')) not valid;
    ${noteDelivery(true)}
    create trigger note_held after update of held_until on deliveries for each row
      when (new.held_until is distinct from old.held_until and new.held_until is not null)
      execute function note_delivery();
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop trigger note_held on deliveries;
    ${noteDelivery(false)}
    alter table deliveries drop column begun_by, drop column held_until, drop column slot_at;
  `);
}
