import { column, tenantTable } from '../../lib/table.js';
import type { RowOf } from '../../lib/table-model.js';

/**
 * What became of a mail. `received`: its run has yet to look at it; `chat`: it is a message; `report`: it said what became
 * of a message; `held`: a person has to look at it; `noted`: it is kept and has no effect.
 */
export const inboundEmailStates = ['received', 'chat', 'report', 'held', 'noted'] as const;
export type InboundEmailState = (typeof inboundEmailStates)[number];

export class InboundEmailModel extends tenantTable('inbound_emails', {
  uuid: column<string>(),
  inboxId: column<number>(),
  /** Its bytes; null once they are not needed any more. */
  objectId: column<number | null>(),
  digest: column<Buffer>('digest'),
  bytes: column<number>(),
  state: column<InboundEmailState>('code'),
  reason: column<string | null>('code'),
  needsResponse: column<boolean>(),
  /** As the mail says, whoever wrote it; null if that is not clear. */
  fromAddress: column<string | null>('personal'),
  subject: column<string | null>('personal'),
  /** Whether the receiving server vouches for the sender. */
  proved: column<boolean>(),
  /** The chat that it is about. */
  chatId: column<number | null>(),
  messageId: column<number | null>(),
  /** How often it was read. */
  attempts: column<number>(),
  receivedAt: column<Date>(),
  settledAt: column<Date | null>(),
  resolvedAt: column<Date | null>(),
  resolvedByMemberId: column<number | null>(),
}) {}

export type InboundEmailRow = RowOf<InboundEmailModel>;
