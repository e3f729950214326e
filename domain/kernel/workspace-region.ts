import type { Tx } from '../../db/database.js';
import type { ServiceContext } from './context.js';

/** Where phone numbers without a country code belong in this workspace. */
export async function workspaceRegion({ db }: Pick<ServiceContext, 'db'>, tx: Tx): Promise<string> {
  return (await db.identity.workspaces.findDefaultRegion(tx.workspaceId, tx)) ?? 'US';
}
