import { findLatestAnsweredCall } from '../../db/calls/phone-calls.js';
import type { ChatRow } from '../../db/conversations/chats.js';
import type { Tx } from '../../db/tx.js';

const ofMachines: ReadonlySet<string | null> = new Set(['voicemail', 'amd_unknown']);

/**
 * Whether the latest call that a person has answered has ended, and neither the member nor a colleague has gone on by text since.
 * A call that reached nobody leaves nothing.
 */
export async function isLeftByCall(
  tx: Tx,
  { id, attendedAt }: Pick<ChatRow, 'id' | 'attendedAt'>,
): Promise<boolean> {
  const call = await findLatestAnsweredCall(tx, id);
  if (call === undefined || call.finishedAt === null) return false;
  if (ofMachines.has(call.terminationReason)) return false;
  return attendedAt === null || attendedAt <= call.finishedAt;
}
