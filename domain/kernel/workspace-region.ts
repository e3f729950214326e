import type { Tx } from '../../db/tx.js';
import type { ServiceContext } from './context.js';

/** The region of phone numbers without a country code in this workspace (ISO 3166 alpha-2). */
export async function workspaceRegion({ db }: Pick<ServiceContext, 'db'>, tx: Tx): Promise<string> {
  return (await db.identity.workspaces.findDefaultRegion(tx.workspaceId, tx)) ?? 'US';
}
