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
  /** What it is for, as the gate was asked when it was queued (`domain/channels/outreach`). */
  declare purpose: 'reply' | 'agent_initiated' | 'task';
  declare sender: string;
  declare recipient: string;
  declare state: DeliveryState;
  /** How often the carrier was asked; names the attempt that news speak of. */
  declare attempts: number;
  /** Attempts that the carrier took and that then failed. */
  declare failures: number;
  declare claimedAt: Date | null;
  /** Of the claim under way: whoever made it knows it, and nobody else. */
  declare claimToken: string | null;
  /** The claimed attempt ended without a result: the run waits to hear of it. */
  declare outcomeUnknown: boolean;
  /** How often the carrier was asked what became of the claimed attempt. */
  declare lookUps: number;
  declare notBefore: Date | null;
  /** It is not sent any more from then on. */
  declare expiresAt: Date;
  /** When the member had last written as it was queued: messages of one group keep their order. */
  declare orderGroup: Date | null;
  declare sentAt: Date | null;
  /** When the carrier is asked about a receipt that has not come; null where none is awaited any more. */
  declare receiptDueAt: Date | null;
  declare carrierMessageId: string | null;
  declare errorCode: string | null;
  declare failureReason: string | null;
  declare createdAt: Date;
  declare updatedAt: Date;
}

export type DeliveryRow = RowOf<DeliveryModel>;
