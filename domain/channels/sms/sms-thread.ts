import {
  type ChatRow,
  findActiveSmsChat,
  findLatestSmsChat,
  lockChat,
} from '../../../db/conversations/chats.js';
import type { Tx } from '../../../db/database.js';
import { lockSubject } from '../../../db/lock-subject.js';
import type { MemberRow } from '../../../db/people/members.js';
import { callPerson } from '../../kernel/call-person.js';

/*
 * A member and a phone number of the workspace share one SMS thread, which may hold several chats: a reply names none
 * of them (docs/decisions/0084-one-sms-thread-for-several-chats.md).
 */

/** Serializes what changes the threads of a phone: inbound messages and new chats. */
export async function lockSmsThread(tx: Tx, memberPhone: string): Promise<void> {
  await lockSubject(tx, `sms:${memberPhone}`);
}

/**
 * Locks the chat that an inbound message continues: the newest of the thread. Where that one is archived or its
 * assignment has ended, the newest chat with an active assignment comes before it.
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
  // One lock only: a transaction that locks several chats takes them in the order of their ids.
  return lockChat(tx, (active ?? latest).id);
}

/**
 * Calls a person to the chat of the thread that has an active assignment: a new chat, not stored yet, takes the
 * member's replies from it.
 */
export async function supersedeSmsChat(
  tx: Tx,
  member: Pick<MemberRow, 'id' | 'phone'>,
  phoneNumberId: number,
): Promise<void> {
  if (member.phone !== null) await lockSmsThread(tx, member.phone);
  const active = await findActiveSmsChat(tx, member.id, phoneNumberId);
  if (active === undefined || (await lockChat(tx, active.id)) === undefined) return;
  await callPerson(tx, active, 'superseded');
}
