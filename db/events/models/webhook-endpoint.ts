import { column, tenantTable } from '../../lib/table.js';
import type { RowOf } from '../../lib/table-model.js';

/**
 * A receiver: one URL of a workspace, shared by all rules that name it. This row paces the deliveries that wait for it.
 */
export class WebhookEndpointModel extends tenantTable('webhook_endpoints', {
  /** The host of the URL; a trigger sets it where it is left out. */
  webhookHostId: column<number>(),
  url: column<string>('configuration'),
  /** SHA-256, because a URL can be too long for an index. */
  urlDigest: column<Buffer>('digest'),
  meanDurationMs: column<number>(),
  nextSlotAt: column<Date | null>(),
  createdAt: column<Date>(),
}) {}

export type WebhookEndpointRow = RowOf<WebhookEndpointModel>;
