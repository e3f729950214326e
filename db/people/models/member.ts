import { column, tenantTable } from '../../lib/table.js';
import type { RowOf } from '../../lib/table-model.js';

export class MemberModel extends tenantTable('members', {
  uuid: column<string>(),
  kind: column<'human' | 'assistant'>(),
  name: column<string | null>(),
  email: column<string | null>(),
  phone: column<string | null>(),
  /** `YYYY-MM-DD` */
  dateOfBirth: column<string | null>(),
  description: column<string | null>(),
  externalId: column<string | null>(),
  memberRoleId: column<number>(),
  locale: column<string | null>(),
  notifyEmail: column<boolean>(),
  notifySms: column<boolean>(),
  notifyVoice: column<boolean>(),
  /** While it is set, the member is denied access everywhere. */
  disabledAt: column<Date | null>(),
  /** Since when the member wants no SMS, from any number of the workspace. */
  smsOptedOutAt: column<Date | null>(),
  /** What the workspace vouches for (docs/decisions/0223-who-is-nobody.md): `record`, `email`, `phone`. */
  vouchedFor: column<string[]>(),
  deletedAt: column<Date | null>(),
  createdAt: column<Date>(),
  updatedAt: column<Date>(),
}) {}

export type MemberRow = RowOf<MemberModel>;
