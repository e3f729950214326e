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
import type { Tx } from '../../../db/tx.js';
import type { ServiceContext } from '../../kernel/context.js';
import { type Batch, batchOf } from '../../kernel/retention.js';

/** Numbers of deleted rows. Attempts are deleted together with their deliveries and not counted. */
export type Forgotten = Record<
  'deliveries' | 'events' | 'secrets' | 'notices' | 'rules' | 'endpoints' | 'hosts',
  number
>;

export const keptForMs = 30 * 24 * 3_600_000;

const batchSize = 1_000;

/** Deletes a batch of old event data of a kind (docs/webhooks.md): the kinds in this order. */
export const oldEventData: Record<keyof Forgotten, ForgetOld> = {
  deliveries: ofBatches((tx, { before }) => removeOldDeliveries(tx, before, batchSize)),
  async events({ db, clock }, workspaceId, after = beforeEvents) {
    const { before } = agesAt(clock.now());
    const batch = await db.inWorkspace(workspaceId, (tx) => removeOldEvents(tx, before, after, batchSize));
    return { deleted: batch.deleted, next: batch.last };
  },
  secrets: ofBatches((tx, { now }) => removeOldSecrets(tx, now, batchSize)),
  notices: ofBatches((tx, { before }) => removeOldNotices(tx, before, batchSize)),
  rules: ofBatches((tx, { before }) => removeDeletedRules(tx, before, batchSize)),
  endpoints: ofBatches((tx) => removeUnusedEndpoints(tx, batchSize)),
  hosts: ofBatches((tx) => removeUnusedHosts(tx, batchSize)),
};

/** From before when rows of a kind are old: secrets say themselves when they expire, and what is unused is no older for it. */
export function oldBefore(kind: keyof Forgotten, at: Date): Date {
  const { now, before } = agesAt(at);
  return kind === 'secrets' || kind === 'endpoints' || kind === 'hosts' ? now : before;
}

type Ages = ReturnType<typeof agesAt>;
type ForgetOld = (
  context: ServiceContext,
  workspaceId: number,
  after?: EventPlace,
) => Promise<Batch<EventPlace | true>>;

function agesAt(now: Date) {
  return { now, before: new Date(now.getTime() - keptForMs) };
}

function ofBatches(remove: (tx: Tx, ages: Ages) => Promise<number>): ForgetOld {
  return async ({ db, clock }, workspaceId) =>
    batchOf(await db.inWorkspace(workspaceId, (tx) => remove(tx, agesAt(clock.now()))), batchSize);
}
