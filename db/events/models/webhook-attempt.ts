import { column, tenantTable } from '../../lib/table.js';
import type { RowOf } from '../../lib/table-model.js';

/** A request to a receiver, to deliver an event. Values that are not known yet are null. */
export class WebhookAttemptModel extends tenantTable('webhook_attempts', {
  webhookDeliveryId: column<number>(),
  webhookEndpointId: column<number>(),
  webhookHostId: column<number | null>(),
  /** From 1, in each delivery. */
  number: column<number>(),
  startedAt: column<Date>(),
  /** Without an outcome by then, it is lost. */
  leaseUntil: column<Date>(),
  finishedAt: column<Date | null>(),
  durationMs: column<number | null>(),
  statusCode: column<number | null>(),
  /** Why there was no response. */
  errorCode: column<string | null>('code'),
  /** The beginning of the response. */
  responseBody: column<string | null>('personal'),
}) {}

export type WebhookAttemptRow = RowOf<WebhookAttemptModel>;
