import type pg from 'pg';

type Query = (text: string, values?: unknown[]) => Promise<pg.QueryResult>;

/** Makes the file with this object one that the patient sent in a chat, and lets a colleague who takes part read it. */
export async function attachForParticipant(
  query: Query,
  { objectId, patient, colleague }: Record<'patient' | 'colleague', { id: number }> & { objectId: number },
): Promise<void> {
  const { rows } = await query(
    `insert into chats (workspace_id, channel, chat_type, member_id)
     select workspace_id, 'phone-sms', 'simple', id from members where id = $1 returning id`,
    [patient.id],
  );
  await query(
    `with sent as (
       update files set source = 'message' where id = (select file_id from file_versions where object_id = $1)
       returning id, workspace_id)
     insert into file_attachments (workspace_id, file_id, member_id, chat_id)
     select workspace_id, id, reader, $2 from sent cross join unnest($3::bigint[]) reader`,
    [objectId, rows[0]?.id, [patient.id, colleague.id]],
  );
}
