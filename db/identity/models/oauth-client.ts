import { column, identityTable, unread } from '../../lib/table.js';
import type { RowOf } from '../../lib/table-model.js';

/** An OAuth client: an application that an account created, or a program that registered itself. */
export class OAuthClientModel extends identityTable('oauth_clients', {
  id: column<number>(),
  uuid: column<string>(),
  clientId: column<string>('id'),
  /** The account that created the application; null for a client that registered itself. */
  accountId: column<number | null>(),
  name: column<string>('personal'),
  serverUrl: column<string | null>('personal'),
  redirectUris: column<string[]>('personal'),
  /** The most that the client may ask for. */
  scopes: column<string[]>('codes'),
  /** A program on the person's device, whose loopback redirect may have any port (RFC 8252, section 7.3). */
  isNative: column<boolean>(),
  /** SHA-256 of the secret; null for a public client. */
  secretHash: column<Buffer | null>('digest'),
  /** The last characters of the secret, by which people recognize it. */
  secretHint: column<string | null>('token'),
  formerSecretHash: column<Buffer | null>('digest'),
  formerSecretUntil: column<Date | null>(),
  createdAt: column<Date>(),
  updatedAt: column<Date>(),
  lastUsedAt: column<Date | null>(),
  /** Keyed hash of the address that a self-registered client came from. */
  registrantHash: unread<Buffer | null>('digest'),
}) {}

export type OAuthClientRow = RowOf<OAuthClientModel>;
