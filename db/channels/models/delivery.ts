import { type RowOf, TenantModel } from '../../lib/tenant-model.js';

/**
 * `queued` → `claimed` (an attempt is under way or its outcome is unknown) → `sent` (the carrier has it) →
 * `delivered`; `failed` from any of them.
 */
export type DeliveryState = 'queued' | 'claimed' | 'sent' | 'delivered' | 'failed';

export class DeliveryModel extends TenantModel {
  static override tableName = 'deliveries';
  static fields = [
    'id',
    'workspaceId',
    'uuid',
    'chatId',
    'messageId',
    'channel',
    'purpose',
    'sender',
    'recipient',
    'state',
    'attempts',
    'failures',
    'claimedAt',
    'claimToken',
    'outcomeUnknown',
    'lookUps',
    'notBefore',
    'expiresAt',
    'orderGroup',
    'sentAt',
    'receiptDueAt',
    'carrierMessageId',
    'errorCode',
    'failureReason',
    'createdAt',
    'updatedAt',
  ] as const satisfies readonly (keyof RowOf<DeliveryModel>)[];

  declare uuid: string;
  declare chatId: number;
  declare messageId: number;
  declare channel: 'phone-sms' | 'email';
  /** Its purpose, as passed to the gate when it was queued (`domain/channels/outreach`). */
  declare purpose: 'reply' | 'agent_initiated' | 'task';
  declare sender: string;
  declare recipient: string;
  declare state: DeliveryState;
  /** Number of requests to the carrier; identifies the attempt that a status report refers to. */
  declare attempts: number;
  /** Number of attempts that the carrier accepted and that then failed. */
  declare failures: number;
  declare claimedAt: Date | null;
  /** Identifies the current claim; known only to the attempt that made it. */
  declare claimToken: string | null;
  /** The claimed attempt ended without a result, and the run waits for one. */
  declare outcomeUnknown: boolean;
  /** How often the carrier was asked for the outcome of the claimed attempt. */
  declare lookUps: number;
  declare notBefore: Date | null;
  /** It is not sent after this time. */
  declare expiresAt: Date;
  /** When the member had last written when it was queued: messages of one group keep their order. */
  declare orderGroup: Date | null;
  declare sentAt: Date | null;
  /** When the carrier is asked for a missing receipt; null where none is expected any more. */
  declare receiptDueAt: Date | null;
  declare carrierMessageId: string | null;
  declare errorCode: string | null;
  declare failureReason: string | null;
  declare createdAt: Date;
  declare updatedAt: Date;
}

export type DeliveryRow = RowOf<DeliveryModel>;
