import type { DeliveryRow } from '../../../db/channels/deliveries.js';
import type { ChatRow } from '../../../db/conversations/chats.js';
import type { MessageRow } from '../../../db/conversations/messages.js';
import type { Tx } from '../../../db/tx.js';
import type { OutreachRefusal } from '../outreach/gate.js';

/** Why a message cannot be sent at all. The codes contain no personal data. */
export type UndeliverableReason =
  | 'missing_phone'
  | 'missing_phone_number'
  | 'missing_email'
  | 'missing_inbox'
  | 'mms_not_enabled'
  | OutreachRefusal;

/** From where to whom a message goes. */
export type Route = Pick<DeliveryRow, 'sender' | 'recipient'>;

/** The meaning of a provider's error code. */
export interface SendError {
  /** A short code without personal data, shown as `smsDeliveryFailureReason`. */
  reason: string;
  /** Whether the provider refuses all further messages from this sender to this recipient. */
  optsOut: boolean;
  /** The delay after each failed attempt; when they are used up, the failure is final. */
  retryDelaysMs: readonly number[];
  /** Whether the sender sends more than the provider takes from it. */
  isTooFast?: boolean;
}

/**
 * The rules of one channel. How its messages are handed to a provider is the other half of the port, `ChannelSender` of the
 * activities (docs/decisions/0125-a-port-for-each-channel.md).
 */
export interface DeliveryChannel {
  /** How long a message is worth sending. */
  lifeSpanMs: number;
  /** Whether a failed message is not tried again once a later message answers what the member has written since. */
  isOvertaken: boolean;
  /** Whether a message needs a place at its provider before it is claimed (`ChannelSender.enter`). */
  needsPlace: boolean;
  /** Whether the provider says that a message has arrived. */
  hasReceipts: boolean;
  /** Whether a person has to look at every message that failed. */
  failuresCallPerson: boolean;
  /**
   * Returns a route to each recipient, or why there is none. Whether the recipients may be written to is for the outreach
   * gate, which is the same on every channel.
   * @param withFiles whether the message carries files
   */
  route(tx: Tx, chat: ChatRow, withFiles: boolean): Promise<Route[] | UndeliverableReason>;
  explain(code: string): SendError;
  /** How much of its sender's pace a message uses; absent where senders have no pace. */
  paceOf?(text: string, withFiles: boolean): number;
  /** Whether no worker that can send on the channel has begun the claimed attempt, which is then made again. */
  wasNotStarted?(tx: Tx, delivery: DeliveryRow): Promise<boolean>;
  /** Stores the provider's id of a message that it has accepted. */
  recordSent?(tx: Tx, delivery: DeliveryRow, carrierMessageId: string): Promise<void>;
  /** Stores what the channel needs besides the delivery. The caller holds the chat's row lock. */
  recordQueued?(
    tx: Tx,
    queued: {
      chat: ChatRow;
      message: MessageRow;
      delivery: DeliveryRow;
      /** Of an email beside a chat on another channel. */
      subject: string | undefined;
      now: Date;
    },
  ): Promise<void>;
  /** Records that the provider refuses further messages to the recipient. */
  optOut(tx: Tx, delivery: DeliveryRow, now: Date): Promise<void>;
}
