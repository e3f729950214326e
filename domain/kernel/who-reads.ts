import type { ChatRow } from '../../db/conversations/chats.js';
import type { FileReader } from '../../db/files/readable-files.js';
import { isVouchedOrProved, type Proof } from '../../db/people/vouched-members.js';
import type { Tx } from '../../db/tx.js';
import type { Actor } from './actor.js';
import { mayBeReadByAnother } from './who-else-reads.js';

/*
 * Who reads what a workspace has (docs/decisions/0223-who-is-nobody.md). Nobody reads what is public, and what is its own or attached for
 * it. A member whom the workspace vouches for, or who has proved an account, reads what every member may see as well. `files:read` reads
 * everything. No other place makes a reader (test/domain/kernel/who-reads.test.ts).
 */

/** Who calls the service. */
export function readerOf(actor: Actor): FileReader {
  return { memberId: actor.memberId, readsWorkspace: actor.isKnown, readsAll: actor.can('files:read') };
}

/** How far the one who speaks in a call is known, where the chat has one that is up. */
export interface OnThePhone {
  /** Whether the caller has proved who they are, or the workspace does not ask. */
  isProved: boolean;
  /** Whether the service has called a number of the member. */
  wasCalled: boolean;
}

/** No member has this id, so that its reader has nothing of its own. */
export const noMember = 0;

/** Who is nobody, with what is its own. */
export function nobody(memberId = noMember): FileReader {
  return { memberId, readsWorkspace: false, readsAll: false };
}

/** A colleague, whose permissions were asked where it acts. */
export function colleague(memberId: number, { readsAll = false } = {}): FileReader {
  return { memberId, readsWorkspace: true, readsAll };
}

/** The author of a definition, who has named a folder. */
export const author: FileReader = { memberId: noMember, readsWorkspace: true, readsAll: true };

/**
 * Who hears what an agent tells in a chat: the member, as far as the channel shows that it is the one, and whoever else takes part. Without
 * the permissions of the member's role, because what the agent tells is stored in the chat, which others read.
 */
export async function readerInChat(
  tx: Tx,
  chat: Pick<ChatRow, 'id' | 'memberId' | 'channel'>,
  call: OnThePhone | undefined,
): Promise<FileReader> {
  if (call === undefined && (await mayBeReadByAnother(tx, chat))) return nobody();
  const memberId = call === undefined || call.isProved ? chat.memberId : noMember;
  const proof = proofOf(chat, call);
  const place = { memberId: chat.memberId, chatId: chat.id };
  const readsWorkspace = proof !== undefined && (await isVouchedOrProved(tx, place, proof));
  return { memberId, readsWorkspace, readsAll: false };
}

/** What shows there that somebody is the member; undefined: nothing does. */
function proofOf({ channel }: Pick<ChatRow, 'channel'>, call: OnThePhone | undefined): Proof | undefined {
  if (call !== undefined) return call.isProved ? 'any' : call.wasCalled ? 'phone' : undefined;
  switch (channel) {
    case 'phone-sms':
    case 'phone-voice':
      return 'phone';
    case 'email':
      return 'email';
    default:
      return 'account';
  }
}
