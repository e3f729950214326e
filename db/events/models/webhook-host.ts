import { column, tenantTable } from '../../lib/table.js';

/** The host of receivers of a workspace (docs/decisions/0078-what-reaches-strangers.md). */
export class WebhookHostModel extends tenantTable('webhook_hosts', {
  host: column<string>('configuration'),
  /** When it first answered with 2xx; null: never. */
  answeredAt: column<Date | null>(),
  /** Failures in a row, before it has ever answered. */
  failures: column<number>(),
  /** It gets no request before, as it has never answered. */
  nextTryAt: column<Date | null>(),
  createdAt: column<Date>(),
}) {}
