import type { EmailRow } from '../../../../db/channels/emails.js';
import { lockChat } from '../../../../db/conversations/chats.js';
import { findMember } from '../../../../db/people/members.js';
import type { Tx } from '../../../../db/tx.js';
import { alertColleague } from '../../../kernel/alert-colleague.js';

/**
 * Alerts a colleague to the chat of an email about which something came back, and takes the chat out of the
 * archive. A chat that waits keeps its reason: an answer that a program sends within seconds must not hide
 * that the agent has handed it over. Nobody can answer in the chat of a deleted member.
 */
export async function callAboutEmail(
  tx: Tx,
  { chatId }: Pick<EmailRow, 'chatId'>,
  reason: 'email_returned' | 'email_complaint',
): Promise<void> {
  const chat = chatId === null ? undefined : await lockChat(tx, chatId);
  if (chat === undefined || chat.needsResponse) return;
  if ((await findMember(tx, chat.memberId)) === undefined) return;
  await alertColleague(tx, chat, reason, { archived: false });
}
