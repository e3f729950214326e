import { subjectsWaiting } from '../../db/outbox.js';
import { listOverdueDeliveries, type OverduePlace } from '../../db/queries/overdue-webhooks.js';
import { lockWebhookDelivery, settleDelivery } from '../../db/queries/webhook-deliveries.js';
import type { ServiceContext } from '../context.js';
import { startWebhookRun } from '../runs.js';

/** A delivery whose attempt is long overdue. */
export interface OverdueDelivery {
  workspaceId: number;
  deliveryId: number;
  deliveryUuid: string;
}

/** What waits for a worker is hardly ever so late; what waits for its receiver is not late at all. */
export const overdueAfterMs = 10 * 60_000;
const batchSize = 200;

/** Deliveries of a workspace whose attempt is overdue, and which do not wait for the relay. */
export async function* listOverdueRuns(
  { db, clock }: ServiceContext,
  workspaceId: number,
): AsyncGenerator<OverdueDelivery> {
  const dueBefore = new Date(clock.now().getTime() - overdueAfterMs);
  for (let place: OverduePlace = { nextAttemptAt: new Date(0), id: 0 }; ; ) {
    const { all, waiting } = await db.inWorkspace(workspaceId, async (tx) => {
      const overdue = await listOverdueDeliveries(tx, dueBefore, place, batchSize);
      const uuids = overdue.map(({ uuid }) => uuid);
      return { all: overdue, waiting: await subjectsWaiting(tx, 'deliverWebhook', uuids) };
    });
    for (const { id, uuid } of all) {
      if (!waiting.has(uuid)) yield { workspaceId, deliveryId: id, deliveryUuid: uuid };
    }
    const last = all.at(-1);
    if (last === undefined || all.length < batchSize) return;
    place = { nextAttemptAt: last.nextAttemptAt ?? dueBefore, id: last.id };
  }
}

/**
 * Mends a pending delivery without a run. A run that is gone without trace is started again. One that was closed under
 * the delivery (an operator terminated it) can never be started again under its id: the delivery has failed, and may be
 * made anew.
 */
export async function mendDelivery(
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
