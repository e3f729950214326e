import type { IdentityTx } from '../../../db/tx.js';
import { classifyPhoneNumber } from '../../channels/phone-numbers/phone-destination.js';
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
/** Types of number at which messages are not read, beside those that cost more than others. */
const unreadTypes: ReadonlySet<string | undefined> = new Set(['TOLL_FREE', 'UAN', 'VOICEMAIL']);

/** The country of a number, else its calling code, by the table of all that goes out; undefined if it may not be sent a code. */
export function countryOfCode(phone: string): string | undefined {
  const destination = classifyPhoneNumber(phone);
  if (destination === undefined || destination.isPremiumRate || unreadTypes.has(destination.type))
    return undefined;
  return destination.country ?? `+${destination.callingCode}`;
}

/** Counts a code about to be sent, which limits what the operator pays. @returns the reason for a refusal */
export async function countSms(
  { db, clock, secret, limits }: SendingContext,
  tx: IdentityTx,
  phone: string,
): Promise<SmsRefusal | undefined> {
  const destination = countryOfCode(phone);
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
