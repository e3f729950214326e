import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import type { IdentityTx } from '../../../db/database.js';
import type { ServiceContext } from '../../kernel/context.js';
import type { LoginSecret } from './login-secret.js';

/** How many login codes are sent by SMS in 24 hours; 0 means no limit. */
export interface SmsLimits {
  perDay: number;
  perCountryPerDay: number;
}

export type SendingContext = ServiceContext & { secret: LoginSecret; limits: SmsLimits };

/** Why a code is not sent by SMS although an account or member has the number. */
export type SmsRefusal = 'implausible_destination' | 'sms_limit' | 'sms_country_limit';

const dayMs = 24 * 3_600_000;
/** Types of number that cost the caller extra, or at which messages are not read. */
const implausibleTypes = new Set(['PREMIUM_RATE', 'SHARED_COST', 'TOLL_FREE', 'UAN', 'PAGER', 'VOICEMAIL']);
/** Calling codes of international services and satellite networks, which belong to no country: E.164's shared codes. */
const sharedCodes = new Set(['800', '808', '870', '878', '881', '882', '883', '888', '979']);

/** The country of a number, else its calling code; undefined if it may not be sent a code. */
export function destinationOf(phone: string): string | undefined {
  const number = parsePhoneNumberFromString(phone);
  if (number === undefined || sharedCodes.has(number.countryCallingCode)) return undefined;
  if (implausibleTypes.has(number.getType() ?? '')) return undefined;
  return number.country ?? `+${number.countryCallingCode}`;
}

/** Counts a code about to be sent, which limits what the operator pays. @returns the reason for a refusal */
export async function countSms(
  { db, clock, secret, limits }: SendingContext,
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
