import { carrierBase } from '../../domain/calls/call-addresses.js';
import { ProviderBusy } from '../../providers/failures.js';
import type { ActivityDependencies } from '../kernel/dependencies.js';

/**
 * What addresses begin with that the carrier calls for a workspace. It is read before the carrier is asked: if it cannot be
 * read, nothing was done. @throws ProviderBusy
 */
export async function carrierBaseOf(
  { db, publicUrl }: Pick<ActivityDependencies, 'db' | 'publicUrl'>,
  workspaceUuid: string,
): Promise<string> {
  try {
    const publicPath = await db.identity.organizations.publicPathOf(workspaceUuid);
    return carrierBase(`${publicUrl}/api/v2`, publicPath);
  } catch {
    throw new ProviderBusy('carrier', 'database_unavailable');
  }
}
