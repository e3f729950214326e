import { LRUCache } from 'lru-cache';
import type { CarrierPlace } from '../../db/identity/organizations.js';
import type { ServiceContext } from '../../domain/kernel/context.js';
import { Unauthenticated } from '../../domain/lib/errors.js';
import { isUuid } from './authenticate-member.js';

export type { CarrierPlace };

/** What the carrier has lately called for, by the workspace or the number: it calls four times for a message and its answer. */
export type CarrierPlaces = LRUCache<string, CarrierPlace>;

/** A call off a path that became the wrong one is taken for so long; one that became the right one is taken at once. */
const knownForMs = 10_000;

export const newCarrierPlaces = (): CarrierPlaces => new LRUCache({ max: 10_000, ttl: knownForMs });

/**
 * Checks the path that the carrier has called at. An organization that is entered by its identity provider only takes calls
 * below its public path; others take them there too.
 * @returns what it has called for, as it was ten seconds ago or later
 * @throws Unauthenticated `off_public_path`
 */
export async function checkCarrierPath(
  { db }: Pick<ServiceContext, 'db'>,
  places: CarrierPlaces,
  called: { workspaceUuid: string | undefined; to: string | undefined; publicPath: string | undefined },
): Promise<CarrierPlace | undefined> {
  const { workspaceUuid, to, publicPath } = called;
  const isRight = (place: CarrierPlace | undefined) =>
    publicPath === undefined ? place?.ssoOnly !== true : place?.publicPath === publicPath;
  const key = workspaceUuid ?? to ?? '';
  const known = places.get(key);
  if (known !== undefined && isRight(known)) return known;

  const asked =
    workspaceUuid === undefined ? to && { number: to } : isUuid(workspaceUuid) && { workspaceUuid };
  const place = asked ? await db.identity.organizations.findCarrierPlace(asked) : undefined;
  if (!isRight(place)) {
    const why = 'The organization takes requests of the carrier below its public path only.';
    throw new Unauthenticated(why, 'off_public_path');
  }
  if (place !== undefined) places.set(key, place);
  return place;
}
