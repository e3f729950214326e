import { removeOldInboundEmails } from '../../../db/channels/inbound-emails.js';
import type { ServiceContext } from '../../kernel/context.js';
import type { RetentionSlice } from '../../kernel/retention-slice.js';
import { keptMs } from './accept-email.js';

const batchSize = 500;
/** Mails that wait for a person are kept for longer than their bytes. */
const keptWaitingMs = 3 * keptMs;

/** Deletes what is stored of received mails beside their messages. @returns how many */
export async function forgetOldEmails(
  { db, clock }: ServiceContext,
  workspaceId: number,
  slice: RetentionSlice,
): Promise<number> {
  const now = clock.now().getTime();
  const ages = { before: new Date(now - keptMs), waitingBefore: new Date(now - keptWaitingMs) };
  let forgotten = 0;
  while (!slice.isOver()) {
    const removed = await db.inWorkspace(workspaceId, (tx) =>
      removeOldInboundEmails(tx, { ...ages, limit: batchSize }),
    );
    forgotten += removed;
    slice.onBatch();
    if (removed < batchSize) break;
  }
  return forgotten;
}
