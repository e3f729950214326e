import { type RowOf, TenantModel } from '../../lib/tenant-model.js';

/** A receiver: one URL of a workspace, whichever rules name it. What waits for it is paced by this row. */
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

  /** The host of the URL; found by the database where it is left out. */
  declare webhookHostId: number;
  declare url: string;
  /** SHA-256: a URL can be too long for an index. */
  declare urlDigest: Buffer;
  declare meanDurationMs: number;
  declare nextSlotAt: Date | null;
  declare createdAt: Date;
}

export type WebhookEndpointRow = RowOf<WebhookEndpointModel>;
