import { removeOldInboundEmails } from '../../../db/channels/inbound-emails.js';
import { removeUnsubscribeLinks } from '../../../db/channels/unsubscribe-links.js';
import type { Tx } from '../../../db/database.js';
import { linksLastMs } from '../../channels/email/unsubscribe.js';
import type { ServiceContext } from '../../kernel/context.js';
import type { RetentionSlice } from '../../kernel/retention-slice.js';
import { keptMs } from './accept-email.js';

const batchSize = 500;
/** Mails that wait for a person are kept for longer, with their bytes. */
const keptWaitingMs = 3 * keptMs;

/**
 * Deletes what is stored of received mails beside their messages, and links for unsubscribing that need not work any more.
 * @returns how many rows
 */
export async function forgetOldEmails(
  { db, clock }: ServiceContext,
  workspaceId: number,
  slice: RetentionSlice,
): Promise<number> {
  const now = clock.now().getTime();
  const ages = { before: new Date(now - keptMs), waitingBefore: new Date(now - keptWaitingMs) };
  const linksBefore = new Date(now - linksLastMs);
  const kinds = [
    (tx: Tx) => removeOldInboundEmails(tx, { ...ages, limit: batchSize }),
    (tx: Tx) => removeUnsubscribeLinks(tx, { before: linksBefore, limit: batchSize }),
  ];
  let forgotten = 0;
  // In turn, because many mails would use up the time of each night for their own kind.
  for (let left = kinds; left.length > 0; ) {
    const unfinished: typeof kinds = [];
    for (const remove of left) {
      if (slice.isOver()) return forgotten;
      const removed = await db.inWorkspace(workspaceId, remove);
      forgotten += removed;
      slice.onBatch();
      if (removed === batchSize) unfinished.push(remove);
    }
    left = unfinished;
  }
  return forgotten;
}
