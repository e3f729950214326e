import { randomInt } from 'node:crypto';
import { insertPhoneNumber } from '../../db/channels/phone-numbers.js';
import type { Database } from '../../db/database.js';
import type { Tx } from '../../db/tx.js';

/** The number that SMS are sent from, and its id. */
interface StageNumber {
  id: number;
  number: string;
}

/** The number has a country code that no country has, so it is never one of a real workspace. */
export async function addNumber(tx: Tx, now: Date): Promise<StageNumber> {
  const number = `+999${randomInt(10 ** 11, 2 * 10 ** 11)}`;
  const values = {
    number,
    name: 'Simulation',
    smsEnabled: true,
    mmsEnabled: true,
    voiceEnabled: false,
    inboundDefinitionId: null,
    segmentsPerSecond: null,
  };
  const row = await insertPhoneNumber(tx, { ...values, createdAt: now });
  if (row === undefined) throw new Error('the phone number of a simulation is taken');
  return { id: row.id, number };
}

/** Lets inbound messages find their way, as with a number of the operator's pool. */
export async function routeNumber(
  { identity }: Database,
  tx: Tx,
  { id, number }: StageNumber,
  now: Date,
): Promise<void> {
  await identity.phoneNumberPool.add({ number, source: 'superuser', createdAt: now }, tx);
  await identity.phoneNumberRoutes.claim(number, { workspaceId: tx.workspaceId, phoneNumberId: id }, tx);
}
