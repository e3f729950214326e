import { type DeliveryRow, findDelivery } from '../../../db/channels/deliveries.js';
import { findEmailOfDelivery } from '../../../db/channels/emails.js';
import { findInbox, findInboxByAddress, type InboxRow } from '../../../db/channels/inboxes.js';
import type { WorkspaceRow } from '../../../db/identity/models/workspace.js';
import { findMemberByEmail } from '../../../db/people/members.js';
import type { Tx } from '../../../db/tx.js';
import type { ServiceContext } from '../../kernel/context.js';
import { senderName } from '../../lib/sender-name.js';
import { plusAddress } from './addresses.js';
import { type EmailFooter, emailFooter } from './footer.js';

/** What an email has besides the text and files of its message. Ids are without angle brackets. */
export interface EmailToSend {
  emailId: number;
  messageId: string;
  inReplyTo: string | null;
  references: string[];
  subject: string;
  fromName: string;
  replyTo: string;
  /** The sender of the envelope, to which relays report what was not delivered. */
  returnPath: string;
  unsubscribeToken: string | null;
  /** The language of the recipient, as far as it is known. */
  locale: string;
  footer: EmailFooter;
  /** The value of Auto-Submitted (RFC 3834); null for what a person has written. */
  autoSubmitted: 'auto-generated' | 'auto-replied' | null;
  createdAt: Date;
  /** Markdown. */
  signature: string;
  /** The inbox's own mail server, with its encrypted password; null: the service's relay. */
  server: MailServerOfInbox | null;
}

export type MailServerOfInbox = Pick<InboxRow, 'uuid' | 'workspaceId' | 'smtpUser' | 'smtpPassword'> & {
  host: string;
  port: number;
  security: NonNullable<InboxRow['smtpSecurity']>;
};

/** Returns what is sent for a delivery, with the settings that its inbox has now; undefined if it is disabled. */
export async function emailToSend(
  tx: Tx,
  delivery: DeliveryRow,
  workspace: WorkspaceRow,
): Promise<EmailToSend | undefined> {
  const email = await findEmailOfDelivery(tx, delivery.id);
  const inbox = email && (await findInbox(tx, email.inboxId));
  if (inbox?.enabled !== true || email === undefined) return undefined;
  const { rfcMessageId, replyToken, returnToken } = email;
  if (rfcMessageId === null || replyToken === null || returnToken === null) return undefined;
  const recipient = await findMemberByEmail(tx, delivery.recipient);
  const locale = recipient?.locale ?? workspace.locale;
  const answers = delivery.purpose === 'reply' ? 'auto-replied' : 'auto-generated';
  return {
    emailId: email.id,
    messageId: rfcMessageId,
    inReplyTo: email.inReplyTo,
    references: email.referenceIds,
    subject: email.subject,
    fromName: senderName(inbox.fromName),
    replyTo: plusAddress(inbox.address, 'reply', replyToken),
    returnPath: plusAddress(inbox.address, 'return', returnToken),
    unsubscribeToken: email.unsubscribeToken,
    locale,
    footer: emailFooter(workspace, locale),
    autoSubmitted: email.automatic ? answers : null,
    createdAt: email.createdAt,
    signature: inbox.signature,
    server: serverOf(inbox),
  };
}

/**
 * Returns the server that a queued email goes by, null for the service's relay; undefined where none is asked, because
 * the email has expired, say.
 */
export async function findServerOfEmail(
  context: ServiceContext,
  { workspaceId, deliveryId }: { workspaceId: number; deliveryId: number },
): Promise<Pick<MailServerOfInbox, 'host' | 'port'> | null | undefined> {
  return context.db.inWorkspace(workspaceId, async (tx) => {
    const delivery = await findDelivery(tx, deliveryId);
    if (delivery?.state !== 'queued' || delivery.expiresAt <= context.clock.now()) return undefined;
    const inbox = await findInboxByAddress(tx, delivery.sender);
    return inbox?.enabled === true ? serverOf(inbox) : undefined;
  });
}

function serverOf(inbox: InboxRow): MailServerOfInbox | null {
  const { uuid, workspaceId, smtpHost: host, smtpPort: port, smtpSecurity: security } = inbox;
  if (host === null || port === null || security === null) return null;
  const { smtpUser, smtpPassword } = inbox;
  return { uuid, workspaceId, host, port, security, smtpUser, smtpPassword };
}
