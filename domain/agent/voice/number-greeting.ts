import type { PhoneCallRow } from '../../../db/calls/phone-calls.js';
import { findPhoneNumber } from '../../../db/channels/phone-numbers.js';
import { workspaceNameOf } from '../../../db/identity/workspaces.js';
import type { Tx } from '../../../db/tx.js';
import { fillPlaceholders } from '../../channels/business-hours/placeholders.js';

/** What the number says first to somebody who calls it; undefined: the agent greets in its own words. */
export async function greetingOf(
  tx: Tx,
  { inbound, phoneNumberId }: Pick<PhoneCallRow, 'inbound' | 'phoneNumberId'>,
  isStarted: boolean,
): Promise<string | undefined> {
  if (!inbound || isStarted) return undefined;
  const number = await findPhoneNumber(tx, phoneNumberId);
  if (number === undefined || number.greeting === null) return undefined;
  const names = { 'workspace.name': await workspaceNameOf(tx), 'phone_number.name': number.name };
  return fillPlaceholders(number.greeting, names);
}
