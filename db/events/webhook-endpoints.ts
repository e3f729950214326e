import { createHash } from 'node:crypto';
import type { Tx } from '../database.js';
import { idCondition } from '../lib/id-condition.js';
import { selectRow } from '../lib/rows.js';
import { prepared } from '../statement.js';
import { WebhookEndpointModel, type WebhookEndpointRow } from './models/webhook-endpoint.js';

export type { WebhookEndpointRow } from './models/webhook-endpoint.js';

export async function findWebhookEndpoint(tx: Tx, id: number): Promise<WebhookEndpointRow | undefined> {
  return selectRow(WebhookEndpointModel, tx, 'id = ?', [id]);
}

/** A receiver's URL, and when its host first answered with 2xx. */
export interface ReceiverPlace {
  url: string;
  answeredAt: Date | null;
}

/** Returns the URLs of these receivers, by their ids. */
export async function placesOfWebhookEndpoints(
  tx: Tx,
  ids: readonly number[],
): Promise<ReadonlyMap<number, ReceiverPlace>> {
  const { condition, binding } = idCondition('e.id', ids);
  const rows = await prepared<ReceiverPlace & { id: number }>(
    tx,
    `select e.id, e.url, h.answered_at as "answeredAt"
     from webhook_endpoints e join webhook_hosts h on h.id = e.webhook_host_id where ${condition}`,
    [binding],
  );
  return new Map(rows.map(({ id, ...place }) => [id, place]));
}

/**
 * Returns the id of the receiver with a URL, and creates it if necessary. Its row is locked until the transaction ends,
 * because receivers that no rule names are deleted after a while.
 */
export async function webhookEndpointAt(tx: Tx, url: string, now: Date): Promise<number> {
  const digest = createHash('sha256').update(url).digest();
  for (;;) {
    const [inserted] = await prepared<{ id: number }>(
      tx,
      `insert into webhook_endpoints (workspace_id, url, url_digest, created_at) values (?, ?, ?, ?)
       on conflict (workspace_id, url_digest) do nothing returning id`,
      [tx.workspaceId, url, digest, now],
    );
    if (inserted !== undefined) return inserted.id;
    // A separate statement, because a statement does not see what others committed while it waited for them.
    const [found] = await prepared<{ id: number }>(
      tx,
      'select id from webhook_endpoints where workspace_id = ? and url_digest = ? for key share',
      [tx.workspaceId, digest],
    );
    if (found !== undefined) return found.id;
  }
}
