import type { InboxRow } from '../../../db/channels/inboxes.js';
import type { ChatRow } from '../../../db/conversations/chats.js';
import { selectMessages } from '../../../db/conversations/message-pages.js';
import { mailSenderOf } from '../../../db/identity/workspaces.js';
import { findMember } from '../../../db/people/members.js';
import type { Tx } from '../../../db/tx.js';
import { footerTexts } from '../../channels/email/footer.js';
import type { KnownThread } from '../../channels/email/inbound/own-words.js';
import { messageText } from '../../channels/message-text.js';
import { senderName } from '../../lib/sender-name.js';

const maxMessages = 50;

/** What a mail into a chat may quote of it: its messages, and what is sent below each of ours. */
export async function knownThread(tx: Tx, chat: ChatRow, inbox: InboxRow): Promise<KnownThread> {
  const messages = await selectMessages(tx, { chatId: chat.id, withNotes: false }, maxMessages, 0);
  const member = await findMember(tx, chat.memberId);
  const footer = footerTexts(await mailSenderOf(tx));
  const texts = messages.map(({ content }) => messageText(content)).filter((text) => text !== '');
  return {
    texts: [inbox.signature, ...footer, ...texts],
    inbox: { address: inbox.address, name: senderName(inbox.fromName) },
    sender: { address: member?.email ?? inbox.address, name: member?.name ?? '' },
  };
}
