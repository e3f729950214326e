import { selectTimezones } from '../../db/people/member-time-zones.js';
import type { Tx } from '../../db/tx.js';
import { hasTimezone } from '../lib/locales.js';

/**
 * The time zone of a member: of its account, else of the workspace. A name that this version does not know, such as one
 * that the IANA database has dropped, is passed over; in the end there is UTC.
 */
export async function timezoneOfMember(tx: Tx, memberId: number): Promise<string> {
  return (await selectTimezones(tx, memberId)).find(hasTimezone) ?? 'UTC';
}
