import type { Tx } from '../database.js';
import { prepared } from '../statement.js';

/** Lets a member read the files that are attached to a chat. */
export async function addChatFileReader(tx: Tx, chatId: number, memberId: number): Promise<void> {
  await prepared(
    tx,
    `insert into file_attachments (workspace_id, file_id, member_id, chat_id, assignment_id, message_id, record_id,
       attached_by_member_id)
     select distinct workspace_id, file_id, ?::bigint, chat_id, assignment_id, message_id, record_id,
       attached_by_member_id
     from file_attachments where chat_id = ?`,
    [memberId, chatId],
  );
}

/** Takes back what being in a chat let a member read. Other attachments of the same files stay. */
export async function removeChatFileReader(tx: Tx, chatId: number, memberId: number): Promise<void> {
  await prepared(tx, 'delete from file_attachments where chat_id = ? and member_id = ?', [chatId, memberId]);
}
