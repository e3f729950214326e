import {
  lockWebhookDelivery,
  selectOverdueDeliveries,
  settleWebhookDelivery,
} from '../../../db/events/webhook-deliveries.js';
import { subjectsWaiting } from '../../../db/outbox.js';
import type { ServiceContext } from '../../kernel/context.js';
import { startWebhookRun } from '../../kernel/runs.js';
import type { WalkPage } from '../../lib/paging.js';

/** A delivery whose attempt is long overdue. */
export interface OverdueDelivery {
  workspaceId: number;
  deliveryId: number;
  deliveryUuid: string;
}

/** Deliveries that wait for a worker are hardly ever this late; those that wait for their receiver are not overdue. */
export const overdueAfterMs = 10 * 60_000;
const batchSize = 200;

/** The position after which the next page begins, in JSON form. */
export type OverdueAfter = { nextAttemptAt: string; id: number };

/** The next page of a workspace's overdue deliveries, except those whose outbox entry the relay has yet to deliver. */
export async function pageOfOverdueRuns(
  { db, clock }: ServiceContext,
  workspaceId: number,
  after: OverdueAfter = { nextAttemptAt: new Date(0).toISOString(), id: 0 },
): Promise<WalkPage<OverdueDelivery, OverdueAfter>> {
  const dueBefore = new Date(clock.now().getTime() - overdueAfterMs);
  return db.readInWorkspace(workspaceId, async (tx) => {
    const place = { nextAttemptAt: new Date(after.nextAttemptAt), id: after.id };
    const overdue = await selectOverdueDeliveries(tx, dueBefore, place, batchSize);
    const uuids = overdue.map(({ uuid }) => uuid);
    const waiting = await subjectsWaiting(tx, 'deliverWebhook', uuids);
    const items = overdue
      .filter(({ uuid }) => !waiting.has(uuid))
      .map(({ id, uuid }) => ({ workspaceId, deliveryId: id, deliveryUuid: uuid }));
    const last = overdue.length < batchSize ? undefined : overdue.at(-1);
    const next = last && { nextAttemptAt: (last.nextAttemptAt ?? dueBefore).toISOString(), id: last.id };
    return { items, next };
  });
}

/** Starts the missing run of a pending delivery again. A terminated run cannot be, so its delivery fails. */
export async function reconcileDelivery(
  { db, clock }: ServiceContext,
  { workspaceId, deliveryId, deliveryUuid }: OverdueDelivery,
  status: 'closed' | 'missing',
): Promise<'restarted' | 'concluded' | undefined> {
  return db.inWorkspace(workspaceId, async (tx) => {
    const delivery = await lockWebhookDelivery(tx, deliveryId);
    if (delivery?.status !== 'pending') return undefined;
    if ((await subjectsWaiting(tx, 'deliverWebhook', [deliveryUuid])).size > 0) return undefined;
    if (status === 'missing') {
      await startWebhookRun(tx, delivery);
      return 'restarted';
    }
    const at = clock.now();
    await settleWebhookDelivery(tx, deliveryId, { status: 'failed', failureReason: 'run_terminated', at });
    return 'concluded';
  });
}
