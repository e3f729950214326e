import { column, identityTable } from '../../lib/table.js';
import type { RowOf } from '../../lib/table-model.js';

export type LoginChannel = 'email' | 'phone';

/** A requested one-time code. The code itself is not stored: it is derived from the uuid, the nonce and a secret. */
export class LoginCodeModel extends identityTable('login_codes', {
  id: column<number>(),
  uuid: column<string>(),
  /** Null when no account has the address. */
  accountId: column<number | null>(),
  /** A member that claims the address, if no account has it. Without either nothing is sent and no code is accepted. */
  claimantWorkspaceId: column<number | null>(),
  claimantMemberId: column<number | null>(),
  channel: column<LoginChannel>('code'),
  /** Keyed hash of the address. */
  identifierHash: column<Buffer>('digest'),
  /** Keyed hash of the requester and the address; null where the last release created the code. */
  requesterHash: column<Buffer | null>('digest'),
  /** Random and never disclosed; null where the last release created the code. */
  nonce: column<Buffer | null>('token'),
  /** The account that is to get `newAddress`; null for a code that signs in. */
  forAccountId: column<number | null>(),
  newAddress: column<string | null>('personal'),
  wrongTries: column<number>(),
  expiresAt: column<Date>(),
  /** When the same requester requested a later code with the same address. */
  supersededAt: column<Date | null>(),
  usedAt: column<Date | null>(),
  claimedAt: column<Date | null>(),
  claimToken: column<string | null>('token'),
  sentAt: column<Date | null>(),
  failureReason: column<string | null>('code'),
  createdAt: column<Date>(),
}) {}

export type LoginCodeRow = RowOf<LoginCodeModel>;
