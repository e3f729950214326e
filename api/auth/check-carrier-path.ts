import type { CarrierPlace } from '../../db/identity/organizations.js';
import type { ServiceContext } from '../../domain/kernel/context.js';
import { Unauthenticated } from '../../domain/lib/errors.js';
import { isUuid } from './authenticate-member.js';

export type { CarrierPlace };

/**
 * Checks the path that the carrier has called at. An organization that is entered by its identity provider only takes calls
 * below its public path; others take them there too.
 * @returns what it has called for
 * @throws Unauthenticated `off_public_path`
 */
export async function checkCarrierPath(
  { db }: Pick<ServiceContext, 'db'>,
  called: { workspaceUuid: string | undefined; to: string | undefined; publicPath: string | undefined },
): Promise<CarrierPlace | undefined> {
  const { workspaceUuid, to, publicPath } = called;
  const asked =
    workspaceUuid === undefined ? to && { number: to } : isUuid(workspaceUuid) && { workspaceUuid };
  const place = asked ? await db.identity.organizations.findCarrierPlace(asked) : undefined;
  const isRight = publicPath === undefined ? place?.ssoOnly !== true : place?.publicPath === publicPath;
  if (isRight) return place;
  const why = 'The organization takes requests of the carrier below its public path only.';
  throw new Unauthenticated(why, 'off_public_path');
}
