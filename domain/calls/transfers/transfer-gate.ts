import { countTransfers } from '../../../db/calls/call-transfers.js';
import type { PhoneCallRow } from '../../../db/calls/phone-calls.js';
import { hasOptedOutOfCalls } from '../../../db/channels/opt-out-proofs.js';
import { findPhoneNumber } from '../../../db/channels/phone-numbers.js';
import { hasOptedOut } from '../../../db/channels/sms-opt-outs.js';
import { selectNumbersOfService } from '../../../db/identity/phone-number-routes.js';
import { outboundCallsOf } from '../../../db/identity/workspaces.js';
import { lockSubject } from '../../../db/lock-subject.js';
import type { Tx } from '../../../db/tx.js';
import {
  countriesOf,
  type PlaceRefusal,
  refusalOfDestination,
} from '../../channels/phone-numbers/phone-destination.js';
import { findSpentMonth } from '../../chat-state/credit-budget.js';
import { maxCallMs } from '../call-times.js';

/** Why a transfer may not be dialled. */
export type TransferRefusal =
  | PlaceRefusal
  | 'number_of_service'
  | 'opted_out'
  | 'transfers_at_once'
  | 'daily_attempts'
  | 'daily_minutes'
  | 'credit_budget';

/** What the transfers of a workspace may take: at one time, and within 24 hours. */
export const transferBounds = {
  atOnce: 20,
  toNumberADay: 500,
  minutesADay: 6_000,
  /** To other countries than that of the number that is called from. */
  minutesAbroadADay: 1_200,
  /** The longest of them. */
  minutesAbroadAtOnce: 60,
} as const;

/** A transfer that may be dialled. */
interface Allowed {
  isAbroad: boolean;
  /** It is taken back after this time, so that all together stay within the bounds. */
  maxSeconds: number;
}

const dayMs = 24 * 3_600_000;
const longestSeconds = maxCallMs / 1_000;
/** With less left, none is begun. */
const minSeconds = 60;

/**
 * The safety gate of transfers, asked when the agent requests one and again when the carrier is told to dial. Those of a workspace
 * take turns, so that each counts those before it.
 */
export async function askTransferGate(
  tx: Tx,
  call: Pick<PhoneCallRow, 'phoneNumberId'>,
  phoneNumber: string,
  now: Date,
): Promise<Allowed | { refused: TransferRefusal }> {
  const [number, settings] = [await findPhoneNumber(tx, call.phoneNumberId), await outboundCallsOf(tx)];
  const home = number === undefined ? [] : countriesOf([number.number]);
  const place = refusalOfDestination(phoneNumber, settings?.callCountries ?? home);
  if (place !== undefined) return { refused: place };
  if ((await selectNumbersOfService(tx, [phoneNumber])).length > 0) return { refused: 'number_of_service' };
  const hasSaidNo = { memberId: null, recipient: phoneNumber };
  if ((await hasOptedOut(tx, phoneNumber)) || (await hasOptedOutOfCalls(tx, hasSaidNo)))
    return { refused: 'opted_out' };
  if ((await findSpentMonth(tx, now)) !== undefined) return { refused: 'credit_budget' };
  await lockSubject(tx, 'transfers of calls');
  const since = new Date(now.getTime() - dayMs);
  const made = await countTransfers(tx, { phoneNumber, since, longestSeconds });
  if (made.open >= transferBounds.atOnce) return { refused: 'transfers_at_once' };
  if (made.toNumber >= transferBounds.toNumberADay) return { refused: 'daily_attempts' };
  const isAbroad = !countriesOf([phoneNumber]).some((country) => home.includes(country));
  const left = [transferBounds.minutesADay * 60 - made.seconds, longestSeconds];
  if (isAbroad) {
    left.push(transferBounds.minutesAbroadADay * 60 - made.secondsAbroad);
    left.push(transferBounds.minutesAbroadAtOnce * 60);
  }
  const maxSeconds = Math.min(...left);
  return maxSeconds < minSeconds ? { refused: 'daily_minutes' } : { isAbroad, maxSeconds };
}
