import { prepared } from '../statement.js';
import type { Tx } from '../tx.js';
import { notedActs } from './models/chat-act.js';

/** What a colleague has done with a chat, or written in it. */
export const chatActKinds = ['message', 'note', ...notedActs] as const;

/** The place of an act: the last message before it, and for what is no message its own id. */
export interface ActPlace {
  messageId: number;
  actId: number;
}

export interface ChatAct extends ActPlace {
  kind: (typeof chatActKinds)[number];
  at: Date;
  /** Null: the agent or the service. */
  memberId: number | null;
  memberName: string | null;
  reason: string | null;
  until: Date | null;
  /** A label or a folder. */
  subjectId: number | null;
  /** Of what is written. */
  messageUuid: string | null;
}

/** Lists what was done in a chat, the newest first, before a place. */
export async function selectChatActs(
  tx: Tx,
  chatId: number,
  before: ActPlace | undefined,
  limit: number,
): Promise<ChatAct[]> {
  const { messageId, actId } = before ?? { messageId: Number.MAX_SAFE_INTEGER, actId: 0 };
  return prepared<ChatAct>(
    tx,
    `select act.*, n.name as "memberName" from (
       (select id as "messageId", 0::bigint as "actId", case role when 'system' then 'note' else 'message' end as kind,
          created_at as at, member_id as "memberId", null::text as reason, null::timestamptz as until,
          null::bigint as "subjectId", uuid as "messageUuid"
        from messages
        where chat_id = ? and author = 'person' and member_id is not null and sub_conversation_of is null
          and (id, 0::bigint) < (?, ?)
        order by id desc limit ?)
       union all
       (select after_message_id, id, kind, created_at, member_id, reason, until, subject_id, null
        from chat_acts where chat_id = ? and (after_message_id, id) < (?, ?)
        order by after_message_id desc, id desc limit ?)
     ) act left join members n on n.id = act."memberId"
     order by act."messageId" desc, act."actId" desc limit ?`,
    [chatId, messageId, actId, limit, chatId, messageId, actId, limit, limit],
  );
}
