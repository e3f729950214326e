import type { ChatRow } from '../../db/conversations/chats.js';
import { hasSealedAccess } from '../../db/identity/sessions.js';
import { findMember } from '../../db/people/members.js';
import { isBarredIdentifier } from '../../db/people/unproved-identifiers.js';
import type { Tx } from '../../db/tx.js';

/**
 * Whether who reads a chat may be somebody else than who has entered what is stored about its member: the chat is at an address
 * that is barred, or in the web, where a token from before that data came is in use.
 */
export async function mayBeReadByAnother(
  tx: Tx,
  { channel, memberId }: Pick<ChatRow, 'channel' | 'memberId'>,
): Promise<boolean> {
  if (channel === 'web-chat') return hasSealedAccess(tx, memberId);
  const by = channel === 'email' ? 'email' : 'phone';
  const address = (await findMember(tx, memberId))?.[by] ?? null;
  return address !== null && isBarredIdentifier(tx, { memberId, channel: by, address });
}
