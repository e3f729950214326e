import { column, tenantTable } from '../../lib/table.js';
import type { RowOf } from '../../lib/table-model.js';

/** `queued` → `claimed` (under way, or without a result) → `sent` (the carrier has it) → `delivered`; or `failed`. */
export type DeliveryState = 'queued' | 'claimed' | 'sent' | 'delivered' | 'failed';

export class DeliveryModel extends tenantTable('deliveries', {
  uuid: column<string>(),
  chatId: column<number>(),
  messageId: column<number>(),
  channel: column<'phone-sms' | 'email'>('code'),
  /** Its purpose, as passed to the gate when it was queued (`domain/channels/outreach`). */
  purpose: column<'reply' | 'agent_initiated' | 'task' | 'opt_out_confirmation'>('code'),
  /**
   * What begins an exchange with it: an agent, a task, or a person who opens the chat. Null: it is an answer, or a
   * colleague's message in a chat.
   */
  begunBy: column<'agent' | 'task' | 'person' | null>('code'),
  /** Of a text: whether it counts among those that the workspace begins. */
  countsAsBegun: column<boolean>(),
  /** A colleague had been alerted for the chat, and the message was the answer of one. */
  endedWait: column<boolean>(),
  sender: column<string>('configuration'),
  recipient: column<string>('personal'),
  state: column<DeliveryState>('code'),
  /** Number of requests to the carrier; identifies the attempt that a status report refers to. */
  attempts: column<number>(),
  /** Number of attempts that the carrier accepted and that then failed. */
  failures: column<number>(),
  claimedAt: column<Date | null>(),
  /** Identifies the current claim; known only to the attempt that made it. */
  claimToken: column<string | null>(),
  /** The claimed attempt ended without a result, and the run waits for one. */
  outcomeUnknown: column<boolean>(),
  lookUps: column<number>(),
  notBefore: column<Date | null>(),
  /** Until when quiet hours hold it, or have held it. */
  heldUntil: column<Date | null>(),
  /** When its slot is, in the pace of its sender. */
  slotAt: column<Date | null>(),
  expiresAt: column<Date>(),
  /** When the member had last written when it was queued: messages of one group keep their order. */
  orderGroup: column<Date | null>(),
  sentAt: column<Date | null>(),
  /** When a provider first took it; an attempt that fails afterwards may be repeated. */
  takenAt: column<Date | null>(),
  /** When the carrier is asked for a missing receipt; null where none is expected any more. */
  receiptDueAt: column<Date | null>(),
  carrierMessageId: column<string | null>('id'),
  errorCode: column<string | null>('code'),
  failureReason: column<string | null>('code'),
  createdAt: column<Date>(),
  updatedAt: column<Date>(),
}) {}

export type DeliveryRow = RowOf<DeliveryModel>;
