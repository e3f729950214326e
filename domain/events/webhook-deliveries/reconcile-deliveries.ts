import { listOverdueDeliveries } from '../../../db/events/overdue-webhooks.js';
import { lockWebhookDelivery, settleDelivery } from '../../../db/events/webhook-deliveries.js';
import { subjectsWaiting } from '../../../db/outbox.js';
import type { ServiceContext } from '../../kernel/context.js';
import { startWebhookRun } from '../../kernel/runs.js';
import type { WalkPage } from '../../lib/walk-page.js';

/** A delivery whose attempt is long overdue. */
export interface OverdueDelivery {
  workspaceId: number;
  deliveryId: number;
  deliveryUuid: string;
}

/** What waits for a worker is hardly ever so late; what waits for its receiver is not late at all. */
export const overdueAfterMs = 10 * 60_000;
const batchSize = 200;

/** Behind which delivery the next page begins, as JSON keeps it. */
export interface OverdueAfter {
  nextAttemptAt: string;
  id: number;
}

/** The next deliveries of a workspace whose attempt is overdue, and which do not wait for the relay. */
export async function pageOfOverdueRuns(
  { db, clock }: ServiceContext,
  workspaceId: number,
  after: OverdueAfter = { nextAttemptAt: new Date(0).toISOString(), id: 0 },
): Promise<WalkPage<OverdueDelivery, OverdueAfter>> {
  const dueBefore = new Date(clock.now().getTime() - overdueAfterMs);
  return db.readInWorkspace(workspaceId, async (tx) => {
    const place = { nextAttemptAt: new Date(after.nextAttemptAt), id: after.id };
    const overdue = await listOverdueDeliveries(tx, dueBefore, place, batchSize);
    const waiting = await subjectsWaiting(
      tx,
      'deliverWebhook',
      overdue.map(({ uuid }) => uuid),
    );
    const items = overdue
      .filter(({ uuid }) => !waiting.has(uuid))
      .map(({ id, uuid }) => ({ workspaceId, deliveryId: id, deliveryUuid: uuid }));
    const last = overdue.length < batchSize ? undefined : overdue.at(-1);
    const next = last && { nextAttemptAt: (last.nextAttemptAt ?? dueBefore).toISOString(), id: last.id };
    return { items, next };
  });
}

/**
 * Mends a pending delivery without a run. A run that is gone without trace is started again. One that was closed under
 * the delivery (an operator terminated it) can never be started again under its id: the delivery has failed, and may be
 * made anew.
 */
export async function reconcileDelivery(
  { db, clock }: ServiceContext,
  { workspaceId, deliveryId, deliveryUuid }: OverdueDelivery,
  status: 'closed' | 'missing',
): Promise<'restarted' | 'concluded' | undefined> {
  return db.inWorkspace(workspaceId, async (tx) => {
    const delivery = await lockWebhookDelivery(tx, deliveryId);
    if (delivery?.status !== 'pending') return undefined;
    const waiting = await subjectsWaiting(tx, 'deliverWebhook', [deliveryUuid]);
    if (waiting.size > 0) return undefined;
    if (status === 'missing') {
      await startWebhookRun(tx, delivery);
      return 'restarted';
    }
    await settleDelivery(tx, deliveryId, {
      status: 'failed',
      failureReason: 'run_terminated',
      lastStatusCode: null,
      at: clock.now(),
    });
    return 'concluded';
  });
}
