import { column, tenantTable } from '../../lib/table.js';
import type { RowOf } from '../../lib/table-model.js';

export class MemberModel extends tenantTable('members', {
  uuid: column<string>(),
  kind: column<'human' | 'assistant'>('code'),
  name: column<string | null>('personal'),
  email: column<string | null>('personal'),
  phone: column<string | null>('personal'),
  /** `YYYY-MM-DD` */
  dateOfBirth: column<string | null>('personal'),
  description: column<string | null>('personal'),
  externalId: column<string | null>('personal'),
  memberRoleId: column<number>(),
  locale: column<string | null>('code'),
  notifyEmail: column<boolean>(),
  notifySms: column<boolean>(),
  notifyVoice: column<boolean>(),
  /** While it is set, the member is denied access everywhere. */
  disabledAt: column<Date | null>(),
  /** Since when the member wants no SMS, from any number of the workspace. */
  smsOptedOutAt: column<Date | null>(),
  /** What the workspace vouches for (docs/decisions/0223-who-is-nobody.md): `record`, `email`, `phone`. */
  vouchedFor: column<string[]>('codes'),
  deletedAt: column<Date | null>(),
  createdAt: column<Date>(),
  updatedAt: column<Date>(),
}) {}

export type MemberRow = RowOf<MemberModel>;
