import { column, tenantTable } from '../../lib/table.js';
import type { RowOf } from '../../lib/table-model.js';

export const smtpSecurities = ['tls', 'starttls', 'none'] as const;
export type SmtpSecurity = (typeof smtpSecurities)[number];

export class InboxModel extends tenantTable('inboxes', {
  uuid: column<string>(),
  /** In lower case; unique in the whole service. */
  address: column<string>(),
  fromName: column<string>(),
  /** Markdown; empty: none. */
  signature: column<string>(),
  /** The assistant of chats that begin in the inbox; null: that of the workflow, or the default one. */
  assistantMemberId: column<number | null>(),
  /** The workflow of chats that begin in the inbox. */
  definitionId: column<number | null>(),
  enabled: column<boolean>(),
  /** The receiving server whose Authentication-Results are trusted; null: none is. */
  authservId: column<string | null>(),
  /** SHA-256 of the secret with which mail is handed in. */
  inboundSecretHash: column<Buffer>(),
  /** The same secret, encrypted; null for one of an earlier release. */
  inboundSecret: column<Buffer | null>(),
  previousSecretHash: column<Buffer | null>(),
  previousSecret: column<Buffer | null>(),
  previousSecretUntil: column<Date | null>(),
  /** The inbox's own mail server; null: the service's relay. */
  smtpHost: column<string | null>(),
  smtpPort: column<number | null>(),
  smtpSecurity: column<SmtpSecurity | null>(),
  smtpUser: column<string | null>(),
  /** Encrypted. */
  smtpPassword: column<Buffer | null>(),
  /** When a colleague was last alerted because attachments were not kept. */
  attachmentsToldAt: column<Date | null>(),
  createdAt: column<Date>(),
  updatedAt: column<Date>(),
}) {}

export type InboxRow = RowOf<InboxModel>;
