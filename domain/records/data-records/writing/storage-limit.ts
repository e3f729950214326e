import { readStoredBytes } from '../../../../db/records/stored-bytes.js';
import type { Tx } from '../../../../db/tx.js';
import { Conflict } from '../../../lib/errors.js';

/** For the records of one workspace and their history. */
export const maxStoredBytes = 20 * 1_024 ** 3;
/** How long a process relies on the size that it read: the limit may be exceeded by what is written in that time. */
const reliedOnMs = 10_000;
const maxKept = 10_000;

const kept = new Map<number, { bytes: number; readAt: number }>();

/** Whether the workspace may store more records; false if its size was not read recently. */
export function hasStorageLeft(workspaceId: number): boolean {
  const bytes = knownBytes(workspaceId);
  return bytes !== undefined && bytes < maxStoredBytes;
}

export async function storageRefusal(tx: Tx): Promise<Conflict | undefined> {
  const bytes = knownBytes(tx.workspaceId) ?? (await readAnew(tx));
  if (bytes < maxStoredBytes) return undefined;
  const stored = `The workspace stores ${maxStoredBytes} bytes of records and their history.`;
  return new Conflict('storage_full', `${stored} Delete some to write others.`);
}

function knownBytes(workspaceId: number): number | undefined {
  const known = kept.get(workspaceId);
  return known !== undefined && performance.now() - known.readAt < reliedOnMs ? known.bytes : undefined;
}

async function readAnew(tx: Tx): Promise<number> {
  const bytes = await readStoredBytes(tx);
  kept.delete(tx.workspaceId);
  const oldest = kept.size >= maxKept ? kept.keys().next().value : undefined;
  if (oldest !== undefined) kept.delete(oldest);
  kept.set(tx.workspaceId, { bytes, readAt: performance.now() });
  return bytes;
}
