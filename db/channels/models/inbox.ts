import { column, tenantTable } from '../../lib/table.js';
import type { RowOf } from '../../lib/table-model.js';

export const smtpSecurities = ['tls', 'starttls', 'none'] as const;
export type SmtpSecurity = (typeof smtpSecurities)[number];

export class InboxModel extends tenantTable('inboxes', {
  uuid: column<string>(),
  /** In lower case; unique in the whole service. */
  address: column<string>('configuration'),
  fromName: column<string>('configuration'),
  /** Markdown; empty: none. */
  signature: column<string>('configuration'),
  /** The assistant of chats that begin in the inbox; null: that of the workflow, or the default one. */
  assistantMemberId: column<number | null>(),
  /** The workflow of chats that begin in the inbox. */
  definitionId: column<number | null>(),
  enabled: column<boolean>(),
  /** The receiving server whose Authentication-Results are trusted; null: none is. */
  authservId: column<string | null>('configuration'),
  /** SHA-256 of the secret with which mail is handed in. */
  inboundSecretHash: column<Buffer>('digest'),
  /** The same secret, encrypted; null for one of an earlier release. */
  inboundSecret: column<Buffer | null>('encrypted'),
  previousSecretHash: column<Buffer | null>('digest'),
  previousSecret: column<Buffer | null>('encrypted'),
  previousSecretUntil: column<Date | null>(),
  /** The inbox's own mail server; null: the service's relay. */
  smtpHost: column<string | null>('code'),
  smtpPort: column<number | null>(),
  smtpSecurity: column<SmtpSecurity | null>('code'),
  smtpUser: column<string | null>('configuration'),
  /** Encrypted. */
  smtpPassword: column<Buffer | null>('encrypted'),
  /** When a colleague was last alerted because attachments were not kept. */
  attachmentsToldAt: column<Date | null>(),
  createdAt: column<Date>(),
  updatedAt: column<Date>(),
}) {}

export type InboxRow = RowOf<InboxModel>;
