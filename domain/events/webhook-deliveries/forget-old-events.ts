import type { Tx } from '../../../db/database.js';
import {
  beforeEvents,
  type EventPlace,
  removeDeletedRules,
  removeOldDeliveries,
  removeOldEvents,
  removeOldNotices,
  removeOldSecrets,
  removeUnusedEndpoints,
  removeUnusedHosts,
} from '../../../db/events/forget-events.js';
import type { ServiceContext } from '../../kernel/context.js';

/** Numbers of deleted rows. Attempts are deleted together with their deliveries and not counted. */
export type Forgotten = Record<
  'deliveries' | 'events' | 'secrets' | 'notices' | 'rules' | 'endpoints' | 'hosts',
  number
>;

export const keptForMs = 30 * 24 * 3_600_000;

const batchSize = 1_000;

/**
 * Deletes expired event data of a workspace (docs/decisions/0058-what-became-of-events.md). Each batch is a separate
 * transaction, followed by `onBatch`; rows that others lock remain until the next call.
 */
export async function forgetOldEvents(
  { db, clock }: ServiceContext,
  workspaceId: number,
  onBatch: () => void = () => {},
): Promise<Forgotten> {
  const now = clock.now();
  const before = new Date(now.getTime() - keptForMs);
  const deliveries = await inBatches((tx) => removeOldDeliveries(tx, before, batchSize));
  const events = await forgetEvents();
  return {
    deliveries,
    events,
    secrets: await inBatches((tx) => removeOldSecrets(tx, now, batchSize)),
    notices: await inBatches((tx) => removeOldNotices(tx, before, batchSize)),
    rules: await inBatches((tx) => removeDeletedRules(tx, before, batchSize)),
    endpoints: await inBatches((tx) => removeUnusedEndpoints(tx, batchSize)),
    hosts: await inBatches((tx) => removeUnusedHosts(tx, batchSize)),
  };

  async function inBatches(deleteBatch: (tx: Tx) => Promise<number>): Promise<number> {
    let total = 0;
    for (let deleted = batchSize; deleted === batchSize; total += deleted) {
      deleted = await db.inWorkspace(workspaceId, deleteBatch);
      onBatch();
    }
    return total;
  }

  async function forgetEvents(): Promise<number> {
    let total = 0;
    for (let place: EventPlace | undefined = beforeEvents; place !== undefined; ) {
      const after: EventPlace = place;
      const batch = await db.inWorkspace(workspaceId, (tx) => removeOldEvents(tx, before, after, batchSize));
      total += batch.deleted;
      place = batch.last;
      onBatch();
    }
    return total;
  }
}
