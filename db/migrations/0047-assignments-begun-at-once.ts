import type { Knex } from 'knex';

const reserved = 'sequence chats_id_seq, assignments_id_seq, assignment_tasks_id_seq';

/**
 * A chat whose assignment begins with a call of the agent is inserted with a turn owed, so that the same transaction
 * need not update it: the time since when the turn is owed is therefore set on insert as well. Also lets the service
 * reserve ids, so that a chat, its assignment and its tasks are stored together.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create trigger c_note_turn_owed_at_once before insert on chats for each row
      when (is_turn_owed(new)) execute function note_turn_owed();
    grant usage on ${reserved} to wes_app;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    revoke usage on ${reserved} from wes_app;
    drop trigger c_note_turn_owed_at_once on chats;
  `);
}
