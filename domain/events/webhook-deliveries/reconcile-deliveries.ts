import {
  lockWebhookDelivery,
  selectOverdueDeliveries,
  settleWebhookDelivery,
} from '../../../db/events/webhook-deliveries.js';
import { subjectsWaiting } from '../../../db/outbox.js';
import type { RowOfRun, RowsOfRun } from '../../kernel/reconcile-rows.js';
import { startWebhookRun } from '../../kernel/runs.js';

/** Deliveries that wait for a worker are hardly ever this late; those that wait for their receiver are not overdue. */
export const overdueAfterMs = 10 * 60_000;
const batchSize = 200;
const runType = 'deliverWebhook';

/** The position after which the next page begins, in JSON form. */
export type OverdueAfter = { nextAttemptAt: string; id: number };

/** Deliveries whose attempt is long overdue. A missing run is started again; after a terminated one the delivery fails. */
export const overdueDeliveries: RowsOfRun<RowOfRun, OverdueAfter> = {
  name: 'webhooks',
  runType,
  async page({ db, clock }, workspaceId, after = { nextAttemptAt: new Date(0).toISOString(), id: 0 }) {
    const dueBefore = new Date(clock.now().getTime() - overdueAfterMs);
    return db.readInWorkspace(workspaceId, async (tx) => {
      const place = { nextAttemptAt: new Date(after.nextAttemptAt), id: after.id };
      const overdue = await selectOverdueDeliveries(tx, dueBefore, place, batchSize);
      const uuids = overdue.map(({ uuid }) => uuid);
      const waiting = await subjectsWaiting(tx, runType, uuids);
      const items = overdue
        .filter(({ uuid }) => !waiting.has(uuid))
        .map(({ id, uuid }) => ({ workspaceId, id, uuid }));
      const last = overdue.length < batchSize ? undefined : overdue.at(-1);
      const next = last && { nextAttemptAt: (last.nextAttemptAt ?? dueBefore).toISOString(), id: last.id };
      return { items, next };
    });
  },
  async repair({ db, clock }, { workspaceId, id, uuid }, run) {
    return db.inWorkspace(workspaceId, async (tx) => {
      const delivery = await lockWebhookDelivery(tx, id);
      if (delivery?.status !== 'pending') return undefined;
      if ((await subjectsWaiting(tx, runType, [uuid])).size > 0) return undefined;
      if (run === 'missing') {
        await startWebhookRun(tx, delivery);
        return 'restarted';
      }
      const at = clock.now();
      await settleWebhookDelivery(tx, id, { status: 'failed', failureReason: 'run_terminated', at });
      return 'concluded';
    });
  },
};
