import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import type { IdentityTx } from '../../../db/database.js';
import type { ServiceContext } from '../../kernel/context.js';
import type { LoginSecret } from './login-secret.js';

/** How many login codes go out by SMS in 24 hours; 0 is as many as are asked for. */
export interface SmsLimits {
  perDay: number;
  perCountryPerDay: number;
}

/** Why a code does not go out by SMS although somebody has the number. */
export type SmsRefusal = 'implausible_destination' | 'sms_limit' | 'sms_country_limit';

const dayMs = 24 * 3_600_000;
/** Numbers that are paid for by whoever calls them, or where nobody reads a message. */
const implausibleTypes = new Set(['PREMIUM_RATE', 'SHARED_COST', 'TOLL_FREE', 'UAN', 'PAGER', 'VOICEMAIL']);
/** International services and satellite networks, which no country has: E.164's shared codes. */
const sharedCodes = new Set(['800', '808', '870', '878', '881', '882', '883', '888', '979']);

/** Where a number is, as codes are counted: its country, else its calling code; undefined where none is to be sent. */
export function destinationOf(phone: string): string | undefined {
  const number = parsePhoneNumberFromString(phone);
  if (number === undefined || sharedCodes.has(number.countryCallingCode)) return undefined;
  if (implausibleTypes.has(number.getType() ?? '')) return undefined;
  return number.country ?? `+${number.countryCallingCode}`;
}

/**
 * Counts a code that is about to go out by SMS, of its country and of the installation: so that nobody has the operator
 * pay for messages without end. Undefined where it may go out.
 */
export async function countSms(
  { db, clock, secret, limits }: ServiceContext & { secret: LoginSecret; limits: SmsLimits },
  tx: IdentityTx,
  phone: string,
): Promise<SmsRefusal | undefined> {
  const destination = destinationOf(phone);
  if (destination === undefined) return 'implausible_destination';
  const now = clock.now();
  const isOver = async (key: string, most: number): Promise<boolean> => {
    if (most === 0) return false;
    const limit = { most, withinMs: dayMs };
    return (await db.identity.loginLimits.take(secret.hash('sms codes', key), limit, now, tx)) !== undefined;
  };
  if (await isOver(destination, limits.perCountryPerDay)) return 'sms_country_limit';
  return (await isOver('all', limits.perDay)) ? 'sms_limit' : undefined;
}
