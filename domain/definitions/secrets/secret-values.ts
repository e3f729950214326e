import type { SecretRow } from '../../../db/definitions/secrets.js';
import type { Tx } from '../../../db/tx.js';
import type { Encryption } from '../../lib/encryption.js';

/** Encrypts the value of a secret; a copy in another row or workspace cannot be decrypted. */
export function encryptSecret(tx: Tx, encryption: Encryption, uuid: string, value: string): Buffer {
  return encryption.encrypt(value, contextOf(tx, uuid));
}

/** @throws Undecipherable */
export function decryptSecret(
  tx: Tx,
  encryption: Encryption,
  { uuid, ciphertext }: Pick<SecretRow, 'uuid' | 'ciphertext'>,
): string {
  return encryption.decrypt(ciphertext, contextOf(tx, uuid));
}

function contextOf(tx: Tx, uuid: string): string {
  return `secret ${uuid} of workspace ${tx.workspaceId}`;
}
