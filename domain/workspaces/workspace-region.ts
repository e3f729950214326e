import type { Tx } from '../../db/database.js';
import type { ServiceContext } from '../context.js';

/** Where phone numbers without a country code belong in this workspace. */
export async function workspaceRegion({ db }: Pick<ServiceContext, 'db'>, tx: Tx): Promise<string> {
  const workspace = await db.identity.workspaces.findById(tx.workspaceId, tx);
  return workspace?.defaultRegion ?? 'US';
}
