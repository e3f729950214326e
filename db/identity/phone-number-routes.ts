import { prepared } from '../statement.js';
import type { AnyTx, Tx } from '../tx.js';
import { IdentityTable } from './identity-table.js';
import { PhoneNumberRouteModel, type PhoneNumberRouteRow } from './models/phone-number-route.js';

type PhoneNumberRoute = Omit<PhoneNumberRouteRow, 'number'>;

/** The mapping of phone numbers to workspaces, by which inbound messages find their tenant. */
export class PhoneNumberRoutesTable extends IdentityTable {
  /** Claims a number (E.164) for a workspace; false when another phone number has it. */
  async claim(number: string, route: PhoneNumberRoute, tx?: Tx): Promise<boolean> {
    const { workspaceId, phoneNumberId } = route;
    const values = { number, workspaceId, phoneNumberId };
    return (await PhoneNumberRouteModel.insertOnce(tx ?? this.knex, values, ['number'])) !== undefined;
  }

  async find(number: string, tx?: Tx): Promise<PhoneNumberRouteRow | undefined> {
    return PhoneNumberRouteModel.first(tx ?? this.knex, 'number = ?', [number]);
  }

  async findMany(numbers: readonly string[]): Promise<Map<string, PhoneNumberRouteRow>> {
    const routes = await PhoneNumberRouteModel.where(this.knex, 'number = any(?)', [numbers]);
    return new Map(routes.map((route) => [route.number, route]));
  }

  /** Releases a number; only the phone number that holds it can. */
  async release(number: string, route: PhoneNumberRoute, tx?: Tx): Promise<boolean> {
    const isHeld = 'number = ? and workspace_id = ? and phone_number_id = ?';
    const values = [number, route.workspaceId, route.phoneNumberId];
    return (await PhoneNumberRouteModel.deleteWhere(tx ?? this.knex, isHeld, values)) > 0;
  }
}

/** The numbers among these that are of this installation: used by a workspace, or in its pool. */
export async function selectNumbersOfService(tx: AnyTx, numbers: readonly string[]): Promise<string[]> {
  if (numbers.length === 0) return [];
  const found = await prepared<{ number: string }>(
    tx,
    `select number from identity.phone_number_routes where number = any(?)
     union select number from identity.phone_number_pool where number = any(?)`,
    [numbers, numbers],
  );
  return found.map(({ number }) => number);
}
