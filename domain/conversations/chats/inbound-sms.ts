import type { SmsKeyword } from '../../channels/sms/keywords.js';

export interface InboundSms {
  /** The carrier's id of the message, used as idempotency key. */
  carrierMessageId: string;
  from: string;
  to: string;
  body: string;
  /** The number of pictures and other media that came with the message, and are fetched later. */
  mediaCount?: number;
  /** The keyword that the carrier recognized and has already answered. */
  carrierKeyword?: SmsKeyword;
  /** When the carrier received a message that its webhook did not deliver; absent for a message from the webhook. */
  missedAt?: Date;
}
