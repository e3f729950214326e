import {
  countCallsDialled,
  countCallsTo,
  hasOpenCallTo,
  type PhoneCallRow,
} from '../../db/calls/phone-calls.js';
import type { ChatRow } from '../../db/conversations/chats.js';
import { findLastHeard } from '../../db/conversations/messages.js';
import { selectNumbersOfService } from '../../db/identity/phone-number-routes.js';
import { outboundCallsOf } from '../../db/identity/workspaces.js';
import { lockSubject } from '../../db/lock-subject.js';
import type { Tx } from '../../db/tx.js';
import { presentForMs } from '../channels/deliveries/begun-by.js';
import { type OutreachRefusal, refusalOf } from '../channels/outreach/gate.js';
import { endOfQuietHours } from '../channels/outreach/quiet-hours.js';
import {
  countriesOf,
  type PlaceRefusal,
  refusalOfDestination,
} from '../channels/phone-numbers/phone-destination.js';
import { findSpentMonth } from '../chat-state/credit-budget.js';
import type { ServiceContext } from '../kernel/context.js';
import { timezoneOfMember } from '../kernel/timezone-of-member.js';
import { callsTo } from './request-call.js';

/** Why a call may not be dialled. */
export type CallBlock =
  | OutreachRefusal
  | PlaceRefusal
  | 'quiet_hours'
  | 'daily_attempts'
  | 'call_in_progress'
  | 'number_of_service'
  | 'credit_budget';

interface CallToDial {
  call: Pick<PhoneCallRow, 'id'> & { remoteNumber: string };
  chat: ChatRow;
  /** The number that it is dialled from. */
  from: string;
  now: Date;
}

const dayMs = 24 * 3_600_000;
/** How often a number is dialled within 24 hours: by default, and as the workspace may say. */
export const callsPerDay = { usual: 5, min: 1, most: 20 };
/** How many calls a workspace dials within 24 hours: by default, and as it may say. */
export const workspaceCallsPerDay = { usual: 1_000, min: 1, most: 10_000 };

/**
 * The safety gate of outgoing calls, asked right before each is dialled. Beside the gate of all that reaches out: where a call
 * may go, how often, at what time, and whether the workspace has credits left for what is said in it.
 */
export async function refusalOfCall(
  { db }: ServiceContext,
  tx: Tx,
  { call, chat, from, now }: CallToDial,
): Promise<CallBlock | undefined> {
  const { memberId } = chat;
  const outreach = {
    purpose: 'task',
    channel: 'phone-voice',
    memberId,
    recipient: call.remoteNumber,
  } as const;
  const refused = await refusalOf(tx, { ...outreach, now });
  if (refused !== undefined) return refused;
  const settings = await outboundCallsOf(tx);
  const place = refusalOfPlace(call.remoteNumber, from, settings?.callCountries ?? undefined);
  if (place !== undefined) return place;
  // Two agents of the service would talk with each other.
  if ((await selectNumbersOfService(tx, [call.remoteNumber])).length > 0) return 'number_of_service';
  // Calls of other chats to the number that are claimed at the same time take turns, so that each counts those before it.
  await lockSubject(tx, callsTo(call.remoteNumber));
  if (await hasOpenCallTo(tx, call.remoteNumber, { except: call.id, isDialled: true }))
    return 'call_in_progress';
  const most = settings?.callsPerDay ?? callsPerDay.usual;
  const attempts = { since: new Date(now.getTime() - dayMs), except: call.id, most };
  if ((await countCallsTo(tx, call.remoteNumber, attempts)) >= most) return 'daily_attempts';
  const maxOfAll = settings?.workspaceCallsPerDay ?? workspaceCallsPerDay.usual;
  if ((await countCallsDialled(tx, { ...attempts, most: maxOfAll })) >= maxOfAll)
    return 'workspace_daily_cap';
  if ((await findSpentMonth(tx, now)) !== undefined) return 'credit_budget';
  const quiet = await db.identity.workspaces.findQuietHours(tx.workspaceId, tx);
  if (quiet === undefined) return undefined;
  const end = endOfQuietHours(now, quiet, await timezoneOfMember(tx, memberId));
  return end === undefined || (await isPresent(tx, chat, now)) ? undefined : 'quiet_hours';
}

/** A member who has just written expects to be called. */
async function isPresent(tx: Tx, chat: ChatRow, now: Date): Promise<boolean> {
  const heard = await findLastHeard(tx, chat.id, now);
  return heard !== undefined && now.getTime() - heard.at.getTime() < presentForMs;
}

/**
 * Whether a number may be dialled by where it is and what it costs.
 * @param countries ISO 3166 alpha-2; absent: the country of the number that it is dialled from
 */
export function refusalOfPlace(
  to: string,
  from: string,
  countries: readonly string[] = countriesOf([from]),
): PlaceRefusal | undefined {
  return refusalOfDestination(to, countries);
}
