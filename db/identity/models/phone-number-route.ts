import { column, identityTable } from '../../lib/table.js';
import type { RowOf } from '../../lib/table-model.js';

/** Who put a number into the pool. */
export type PoolSource = 'superuser' | 'setting' | 'earlier_release';

export class PoolNumberModel extends identityTable('phone_number_pool', {
  id: column<number>(),
  /** E.164 */
  number: column<string>('configuration'),
  /** The workspace that it is assigned to; null: any workspace may take it. */
  workspaceId: column<number | null>(),
  /** `login_codes`: the service sends login codes from it, and no workspace can take it. */
  purpose: column<'workspaces' | 'login_codes'>('code'),
  source: column<PoolSource>('code'),
  createdAt: column<Date>(),
}) {}

/** The workspace and its phone number that inbound messages and calls of the carrier belong to. */
export class PhoneNumberRouteModel extends identityTable('phone_number_routes', {
  number: column<string>('configuration'),
  workspaceId: column<number>(),
  phoneNumberId: column<number>(),
}) {}

export type PhoneNumberRouteRow = RowOf<PhoneNumberRouteModel>;
