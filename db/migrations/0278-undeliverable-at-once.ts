import type { Knex } from 'knex';

const noted = `
  perform note_in_timeline(new.workspace_id, new.chat_id, 'delivery', 'failed',
    new.sms_delivery_failure_reason, message_id => new.id);`;

const trigger = (when: string) => `
  create or replace trigger note_undeliverable after update on messages for each row
    when (new.sms_delivery_status = 'failed' and old.sms_delivery_status ${when})
    execute function note_undeliverable();`;

/** A message may show from its insertion that it is queued: whether it was is told by its delivery. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create or replace function note_undeliverable() returns trigger language plpgsql as $$
    begin
      if old.sms_delivery_status is not null and exists (
        select from deliveries where workspace_id = new.workspace_id and message_id = new.id
      ) then
        return null;
      end if;
      ${noted}
      return null;
    end $$;
    ${trigger(`is distinct from 'failed'`)}`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    create or replace function note_undeliverable() returns trigger language plpgsql as $$
    begin
      ${noted}
      return null;
    end $$;
    ${trigger('is null')}`);
}
