import type { ServiceContext } from '../../domain/kernel/context.js';
import { Unauthenticated } from '../../domain/lib/errors.js';
import { isUuid } from './authenticate-member.js';

/**
 * Checks the path that the carrier has called at. An organization that is entered by its identity provider only takes calls
 * below its public path; others take them there too. @throws Unauthenticated `off_public_path`
 */
export async function checkCarrierPath(
  { db }: Pick<ServiceContext, 'db'>,
  called: { workspaceUuid: string | undefined; to: string | undefined; publicPath: string | undefined },
): Promise<void> {
  const { workspaceUuid, to, publicPath } = called;
  const place =
    workspaceUuid === undefined ? to && { number: to } : isUuid(workspaceUuid) && { workspaceUuid };
  const path = place ? await db.identity.organizations.carrierPathOf(place) : undefined;
  const isRight = publicPath === undefined ? path?.ssoOnly !== true : path?.publicPath === publicPath;
  if (isRight) return;
  const why = 'The organization takes requests of the carrier below its public path only.';
  throw new Unauthenticated(why, 'off_public_path');
}
