import { createHash } from 'node:crypto';
import type { Tx } from '../tx.js';

/** As `digestSql` of db/person-data/erase-rows.ts: the address of an erased member, which can be compared only. */
export function digestOf(tx: Tx, recipient: string): string {
  return `sha256:${createHash('sha256').update(`${tx.workspaceId}:${recipient}`).digest('hex')}`;
}
