import { offsetOf, type PageOf, type PageRequest } from '../../domain/lib/paging.js';
import type { Tx } from '../database.js';
import { prepared } from '../statement.js';

/** An attempt as the API shows it. Values that are not known yet are null. */
export interface WebhookAttemptDetails {
  number: number;
  startedAt: Date;
  durationMs: number | null;
  statusCode: number | null;
  errorCode: string | null;
  /** The beginning of the response body. */
  responseBody: string | null;
}

/** Lists a page of a delivery's attempts, in order. */
export async function listWebhookAttempts(
  tx: Tx,
  deliveryId: number,
  page: PageRequest<'number'>,
): Promise<PageOf<WebhookAttemptDetails>> {
  const [items, counted] = await Promise.all([
    prepared<WebhookAttemptDetails>(
      tx,
      `select number, started_at as "startedAt", duration_ms as "durationMs", status_code as "statusCode",
         error_code as "errorCode", response_body as "responseBody"
       from webhook_attempts where webhook_delivery_id = ?
       order by number ${page.sortOrder} limit ? offset ?`,
      [deliveryId, page.pageSize, offsetOf(page)],
    ),
    prepared<{ total: number }>(
      tx,
      'select count(*) as total from webhook_attempts where webhook_delivery_id = ?',
      [deliveryId],
    ),
  ]);
  return { items, total: counted[0]?.total ?? 0 };
}
