import {
  findPhoneCall,
  findPhoneCallByUuid,
  lockPhoneCall,
  type PhoneCallRow,
} from '../../db/calls/phone-calls.js';
import { type ChatRow, lockChat } from '../../db/conversations/chats.js';
import type { Tx } from '../../db/tx.js';

/** A call whose row is locked, with its chat, which is locked first. */
export interface LockedCall {
  call: PhoneCallRow;
  /** Undefined: a refused incoming call. */
  chat: ChatRow | undefined;
}

/** Names a call by its id or its uuid. */
export type CallName = { callId: number } | { callUuid: string };

/** Locks the chat of a call, then the call: everything that changes a call does so in this order. */
export async function lockCall(tx: Tx, name: CallName): Promise<LockedCall | undefined> {
  const found = await ('callId' in name
    ? findPhoneCall(tx, name.callId)
    : findPhoneCallByUuid(tx, name.callUuid));
  if (found === undefined) return undefined;
  const chat = found.chatId === null ? undefined : await lockChat(tx, found.chatId);
  const call = await lockPhoneCall(tx, found.id);
  return call && { call, chat };
}
