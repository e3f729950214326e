import { type RowOf, TenantModel } from '../../lib/tenant-model.js';

/**
 * A receiver: one URL of a workspace, shared by all rules that name it. This row paces the deliveries that wait for it.
 */
export class WebhookEndpointModel extends TenantModel {
  static override tableName = 'webhook_endpoints';
  static fields = [
    'id',
    'workspaceId',
    'webhookHostId',
    'url',
    'urlDigest',
    'meanDurationMs',
    'nextSlotAt',
    'createdAt',
  ] as const satisfies readonly (keyof RowOf<WebhookEndpointModel>)[];

  /** The host of the URL; a trigger sets it where it is left out. */
  declare webhookHostId: number;
  declare url: string;
  /** SHA-256, because a URL can be too long for an index. */
  declare urlDigest: Buffer;
  declare meanDurationMs: number;
  declare nextSlotAt: Date | null;
  declare createdAt: Date;
}

export type WebhookEndpointRow = RowOf<WebhookEndpointModel>;
