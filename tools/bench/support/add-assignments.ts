import type pg from 'pg';
import { connect } from '../../../test/support/db/connect.js';
import { addAssignment } from '../../../test/support/workspace/factories.js';
import { waitingTasks } from '../select-task/waiting-tasks.js';
import type { Stage } from '../stage/stage.js';

/** What a table is copied with. */
interface Copying {
  client: pg.Client;
  /** In SQL: a table with the number of each copy, which is the id of its chat and of its assignment. */
  copies: string;
  chatId: number;
  /** @param own names and values of the columns that differ, in SQL */
  copy(table: string, own: string, where: string): Promise<void>;
}

/**
 * Adds so many waiting assignments, each with its chat, as copies of one.
 * @param alsoCopy copies more of that one
 */
export async function addAssignments(
  { superuserUrl, workspace }: Stage,
  count: number,
  alsoCopy: (copying: Copying) => Promise<void> = async () => undefined,
): Promise<void> {
  const { assignment } = await addAssignment(workspace, { rootTask: waitingTasks });
  const { id, chatId } = assignment;
  const copies = `generate_series(1000000, 1000000 + ${count - 2}) copy`;
  const client = await connect(superuserUrl);
  const copy = async (table: string, own: string, where: string) => {
    await client.query(
      `insert into ${table} overriding system value
       select (jsonb_populate_record(original, jsonb_build_object('uuid', gen_random_uuid(), ${own}))).*
       from ${table} original, ${copies} where original.${where}`,
    );
  };
  try {
    await client.query('set session_replication_role = replica');
    await copy('chats', `'id', copy, 'title', 'Chat ' || copy`, `id = ${chatId}`);
    await copy('assignments', `'id', copy, 'chat_id', copy`, `id = ${id}`);
    await alsoCopy({ client, copies, chatId, copy });
    await client.query('delete from outbox');
    await client.query('vacuum analyze chats, assignments, chat_participants, chat_label_links');
  } finally {
    await client.end();
  }
}
