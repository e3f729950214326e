import { prepared } from '../statement.js';
import type { Tx } from '../tx.js';
import { EmailModel, type EmailRow } from './models/email.js';

export type { EmailRow } from './models/email.js';

type Optional =
  | 'chatId'
  | 'messageId'
  | 'deliveryId'
  | 'rfcMessageId'
  | 'inReplyTo'
  | 'referenceIds'
  | 'fromName'
  | 'begunAttempt'
  | 'replyToken'
  | 'returnToken'
  | 'unsubscribeToken';

export type NewEmail = Omit<
  EmailRow,
  Optional | 'id' | 'workspaceId' | 'uuid' | 'relayMessageId' | 'tokensRevokedAt'
> &
  Partial<Pick<EmailRow, Optional>>;

export async function insertEmail(tx: Tx, email: NewEmail): Promise<EmailRow> {
  return EmailModel.insert(tx, email);
}

export async function patchEmail(tx: Tx, id: number, changes: Partial<EmailRow>): Promise<EmailRow> {
  return EmailModel.patch(tx, id, changes);
}

export async function findEmailOfDelivery(tx: Tx, deliveryId: number): Promise<EmailRow | undefined> {
  return EmailModel.first(tx, 'delivery_id = ?', [deliveryId]);
}

const byToken = {
  reply: 'reply_token = ? and tokens_revoked_at is null',
  // What was not delivered is reported, whatever became of the tokens that people use.
  return: 'return_token = ?',
  unsubscribe: 'unsubscribe_token = ? and tokens_revoked_at is null',
} as const;

export type EmailToken = keyof typeof byToken;

export async function findEmailByToken(
  tx: Tx,
  kind: EmailToken,
  token: string,
): Promise<EmailRow | undefined> {
  return EmailModel.first(tx, byToken[kind], [token]);
}

/** The emails that were sent with one of these Message-IDs, ours or the relay's; the latest first. */
export async function findSentByMessageIds(tx: Tx, ids: readonly string[]): Promise<EmailRow[]> {
  const given = [...ids];
  return EmailModel.where(
    tx,
    `direction = 'out' and (rfc_message_id = any(?::text[]) or relay_message_id = any(?::text[]))
     order by id desc limit 20`,
    [given, given],
  );
}

/** The newest email of a chat, in either direction. */
export async function findLatestEmail(tx: Tx, chatId: number): Promise<EmailRow | undefined> {
  return EmailModel.first(tx, 'chat_id = ? order by id desc', [chatId]);
}

/** Counts, up to `most`, the emails that were queued in a chat since a time. */
export async function countEmailsOfChat(tx: Tx, chatId: number, since: Date, most: number): Promise<number> {
  const [row] = await prepared<{ count: number }>(
    tx,
    `select count(*)::int as count from (
       select 1 from (
         select created_at from emails where chat_id = ? and direction = 'out' order by id desc limit ?
       ) as latest where created_at > ?
     ) as sent`,
    [chatId, most, since],
  );
  return row?.count ?? 0;
}

/** Counts, up to `most`, what agents and tasks of the workspace have begun since a time through the service's relay. */
export async function countStartedByRelay(tx: Tx, since: Date, most: number): Promise<number> {
  const [row] = await prepared<{ count: number }>(
    tx,
    `select count(*) as count from (
       select 1 from emails e join inboxes i on i.workspace_id = e.workspace_id and i.id = e.inbox_id
       where e.unsubscribe_token is not null and e.created_at > ? and i.smtp_host is null limit ?
     ) as begun`,
    [since, most],
  );
  return row?.count ?? 0;
}
