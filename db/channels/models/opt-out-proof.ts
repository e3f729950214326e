import type { Channel } from '../../conversations/models/chat.js';
import { column, tenantTable } from '../../lib/table.js';

/** What people opt out of. */
export const optOutChannels = ['sms', 'email', 'calls'] as const;

export const optOutSources = [
  'keyword',
  'words',
  'agent',
  'link',
  'request',
  'carrier',
  'complaint',
] as const;

export class OptOutProofModel extends tenantTable('opt_out_proofs', {
  /** Null: the address is known as no member's. */
  memberId: column<number | null>(),
  /** The number or address; of an erased person, its digest (`digestOf`). */
  recipient: column<string | null>('personal'),
  channel: column<(typeof optOutChannels)[number]>('code'),
  source: column<(typeof optOutSources)[number]>('code'),
  /** Where the words came from. */
  heardOn: column<Channel | null>('code'),
  words: column<string | null>('personal'),
  /** Who asked the API for it. */
  byMemberId: column<number | null>(),
  optedOutAt: column<Date>(),
  /** When the member opted in again; null: this opt-out is in force. */
  liftedAt: column<Date | null>(),
}) {}
