import type pg from 'pg';

type Query = (text: string, values?: unknown[]) => Promise<pg.QueryResult>;

/** Makes a chat and all that is in it as old as that, without any trigger. */
export async function ageChat(query: Query, chatId: number, at: Date): Promise<void> {
  await query('set session_replication_role = replica');
  await query('update chats set updated_at = $2, created_at = $2 where id = $1', [chatId, at]);
  await query('update messages set created_at = $2 where chat_id = $1', [chatId, at]);
  await query('set session_replication_role = origin');
}
