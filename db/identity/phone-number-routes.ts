import { prepared } from '../statement.js';
import type { AnyTx, Tx } from '../tx.js';
import { IdentityTable } from './columns.js';

/** The workspace and its phone number that inbound messages and calls of the carrier belong to. */
export interface PhoneNumberRoute {
  workspaceId: number;
  phoneNumberId: number;
}

const table = 'identity.phone_number_routes';

/** The mapping of phone numbers to workspaces, by which inbound messages find their tenant. */
export class PhoneNumberRoutesTable extends IdentityTable {
  /** Claims a number (E.164) for a workspace; false when another phone number has it. */
  async claim(number: string, route: PhoneNumberRoute, tx?: Tx): Promise<boolean> {
    const claimed: unknown[] = await (tx ?? this.knex)(table)
      .insert({ number, workspace_id: route.workspaceId, phone_number_id: route.phoneNumberId })
      .onConflict('number')
      .ignore()
      .returning('number');
    return claimed.length > 0;
  }

  async find(number: string, tx?: Tx): Promise<PhoneNumberRoute | undefined> {
    return (tx ?? this.knex)(table)
      .select({ workspaceId: 'workspace_id', phoneNumberId: 'phone_number_id' })
      .where({ number })
      .first();
  }

  async findMany(numbers: readonly string[]): Promise<Map<string, PhoneNumberRoute>> {
    const rows: (PhoneNumberRoute & { number: string })[] = await this.knex(table)
      .select({ number: 'number', workspaceId: 'workspace_id', phoneNumberId: 'phone_number_id' })
      .whereIn('number', [...numbers]);
    return new Map(rows.map(({ number, ...route }) => [number, route]));
  }

  /** Releases a number; only the phone number that holds it can. */
  async release(number: string, route: PhoneNumberRoute, tx?: Tx): Promise<boolean> {
    const released = await (tx ?? this.knex)(table)
      .where({ number, workspace_id: route.workspaceId, phone_number_id: route.phoneNumberId })
      .delete();
    return released > 0;
  }
}

/** The numbers among these that are of this installation: used by a workspace, or in its pool. */
export async function selectNumbersOfService(tx: AnyTx, numbers: readonly string[]): Promise<string[]> {
  if (numbers.length === 0) return [];
  const found = await prepared<{ number: string }>(
    tx,
    `select number from ${table} where number = any(?)
     union select number from identity.phone_number_pool where number = any(?)`,
    [numbers, numbers],
  );
  return found.map(({ number }) => number);
}
