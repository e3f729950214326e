import type { McpServerRow } from '../../../db/definitions/mcp-servers.js';
import type { Tx } from '../../../db/tx.js';
import type { Encryption } from '../../lib/encryption.js';

/** Encrypts the token of a server; a copy in another row or workspace cannot be decrypted. */
export function encryptToken(tx: Tx, encryption: Encryption, uuid: string, token: string): Buffer {
  return encryption.encrypt(token, contextOf(tx, uuid));
}

/** @returns undefined if the server needs none. @throws Undecipherable */
export function decryptToken(
  tx: Tx,
  encryption: Encryption,
  { uuid, token }: Pick<McpServerRow, 'uuid' | 'token'>,
): string | undefined {
  return token === null ? undefined : encryption.decrypt(token, contextOf(tx, uuid));
}

function contextOf(tx: Tx, uuid: string): string {
  return `mcp server ${uuid} of workspace ${tx.workspaceId}`;
}
