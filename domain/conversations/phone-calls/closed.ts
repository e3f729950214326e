import { countClosedCalls } from '../../../db/calls/phone-calls.js';
import type { PhoneNumberRow } from '../../../db/channels/phone-numbers.js';
import type { WorkspaceRow } from '../../../db/identity/models/workspace.js';
import { findMemberByPhone } from '../../../db/people/members.js';
import type { Tx } from '../../../db/tx.js';
import type { CallInstruction } from '../../calls/call-instructions.js';
import { isWithinBusinessHours } from '../../channels/business-hours/business-hours.js';
import { defaultClosedText, textInLocale } from '../../channels/business-hours/closed-texts.js';
import { fillPlaceholders } from '../../channels/business-hours/placeholders.js';

/** How many callers of a number are told within an hour that it is closed: each costs a call of some seconds. */
export const maxClosedAnHour = 60;
const hourMs = 3_600_000;

type CalledNumber = Pick<PhoneNumberRow, 'id' | 'name' | 'businessHours'>;
type CalledWorkspace = Pick<WorkspaceRow, 'name' | 'locale' | 'timezone' | 'businessHours'>;

/** Whether a call that comes in now is not taken, because it is outside of the business hours. */
export function isClosed(workspace: CalledWorkspace, number: CalledNumber, now: Date): boolean {
  const hours = number.businessHours ?? workspace.businessHours;
  if (hours === null || hours.outside === 'agent') return false;
  return !isWithinBusinessHours(now, hours, workspace.timezone);
}

/** Whether so many callers were told within the hour that the next one is not. */
export async function isTooOftenClosed(tx: Tx, { id }: CalledNumber, now: Date): Promise<boolean> {
  const bounds = { since: new Date(now.getTime() - hourMs), most: maxClosedAnHour };
  return (await countClosedCalls(tx, id, bounds)) >= maxClosedAnHour;
}

/** What a caller hears outside of business hours. Of the member with the number, it shows the language alone. */
export async function sayClosed(
  tx: Tx,
  workspace: CalledWorkspace,
  number: CalledNumber,
  from: string | null,
): Promise<CallInstruction[]> {
  const given = (number.businessHours ?? workspace.businessHours)?.closedText ?? null;
  const { text, ...spoken } =
    given === null
      ? defaultClosedText((await localeOf(tx, from)) ?? workspace.locale)
      : textInLocale(given, workspace.locale);
  const names = { 'workspace.name': workspace.name, 'phone_number.name': number.name };
  return [{ do: 'say', text: fillPlaceholders(text, names), ...spoken }, { do: 'hang_up' }];
}

async function localeOf(tx: Tx, from: string | null): Promise<string | null> {
  return from === null ? null : ((await findMemberByPhone(tx, from))?.locale ?? null);
}
