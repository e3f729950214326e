import {
  type ChatRow,
  findActiveSmsChat,
  findLatestSmsChat,
  lockChat,
} from '../../../db/conversations/chats.js';
import { lockSubject } from '../../../db/lock-subject.js';
import type { MemberRow } from '../../../db/people/members.js';
import type { Tx } from '../../../db/tx.js';
import { alertColleague } from '../../kernel/alert-colleague.js';

/*
 * A member and a phone number of the workspace share one SMS thread, which may contain several chats: an SMS does not
 * identify its chat (docs/chats.md).
 */

export async function lockSmsThread(tx: Tx, memberPhone: string): Promise<void> {
  await lockSubject(tx, `sms:${memberPhone}`);
}

/**
 * Locks the chat that an inbound message continues: the newest of the thread. If that one is archived or has a
 * workflow, the newest chat with an active assignment takes precedence.
 */
export async function lockChatOfThread(
  tx: Tx,
  memberId: number,
  phoneNumberId: number,
): Promise<ChatRow | undefined> {
  const latest = await findLatestSmsChat(tx, memberId, phoneNumberId);
  if (latest === undefined) return undefined;
  const mayBeOver = latest.archived || latest.definitionId !== null;
  const active = mayBeOver ? await findActiveSmsChat(tx, memberId, phoneNumberId) : undefined;
  // Takes only one lock: a transaction that locks several chats must lock them in the order of their ids.
  return lockChat(tx, (active ?? latest).id);
}

/** Alerts a colleague to the thread's chat with an active assignment: a new chat will receive the replies instead. */
export async function supersedeSmsChat(
  tx: Tx,
  member: Pick<MemberRow, 'id' | 'phone'>,
  phoneNumberId: number,
): Promise<void> {
  if (member.phone !== null) await lockSmsThread(tx, member.phone);
  const active = await findActiveSmsChat(tx, member.id, phoneNumberId);
  if (active === undefined || (await lockChat(tx, active.id)) === undefined) return;
  await alertColleague(tx, active, 'superseded');
}
