import { findLatestBridge } from '../../../db/calls/call-bridges.js';
import { findPhoneCallByUuid } from '../../../db/calls/phone-calls.js';
import { isHeld } from '../../calls/bridges/is-held.js';
import type { ServiceContext } from '../../kernel/context.js';
import type { SummaryRef } from './write-summary.js';

/**
 * Whether the summary is that of a call whose stream a process still holds: what was said last is stored before it gives that back,
 * or its lease runs out.
 */
export async function awaitsWords(
  { db, clock }: ServiceContext,
  { workspaceId, requestUuid }: Pick<SummaryRef, 'workspaceId' | 'requestUuid'>,
): Promise<boolean> {
  return db.readInWorkspace(workspaceId, async (tx) => {
    const call = await findPhoneCallByUuid(tx, requestUuid);
    return call !== undefined && isHeld(await findLatestBridge(tx, call.id), clock.now());
  });
}
