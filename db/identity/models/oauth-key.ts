import { column, identityTable } from '../../lib/table.js';
import type { RowOf } from '../../lib/table-model.js';

export class OAuthKeyModel extends identityTable('oauth_keys', {
  id: column<number>(),
  kid: column<string>('id'),
  /** The private key as an encrypted JSON Web Key. */
  privateKey: column<Buffer>('encrypted'),
  createdAt: column<Date>(),
  /** A new key is published before it signs, so that those who keep the key set know it by then. */
  signsFrom: column<Date>(),
  /** After which it is no longer published; null while no later key signs. */
  expiresAt: column<Date | null>(),
}) {}

export type OAuthKeyRow = RowOf<OAuthKeyModel>;

/** The one key of the pseudonyms in ID tokens. */
export class OAuthSubjectKeyModel extends identityTable('oauth_subject_keys', {
  id: column<number>(),
  subjectKey: column<Buffer>('encrypted'),
  createdAt: column<Date>(),
}) {}
