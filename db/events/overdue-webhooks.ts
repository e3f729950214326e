import type { Tx } from '../database.js';
import { selectRows } from '../lib/rows.js';
import { WebhookDeliveryModel, type WebhookDeliveryRow } from './models/webhook-delivery.js';

/** The last row of a page, after which the next page begins. */
export interface OverduePlace {
  nextAttemptAt: Date;
  id: number;
}

/** Lists pending deliveries whose next attempt was due by then, in the order of their index. */
export async function listOverdueDeliveries(
  tx: Tx,
  dueBefore: Date,
  { nextAttemptAt, id }: OverduePlace,
  limit: number,
): Promise<WebhookDeliveryRow[]> {
  return selectRows(
    WebhookDeliveryModel,
    tx,
    `status = 'pending' and next_attempt_at < ? and next_attempt_at >= ? and (next_attempt_at, id) > (?, ?)
     order by next_attempt_at, id limit ${limit}`,
    [dueBefore, nextAttemptAt, nextAttemptAt, id],
  );
}
