import { column, identityTable } from '../../lib/table.js';
import type { RowOf } from '../../lib/table-model.js';

export class AccountModel extends identityTable('accounts', {
  id: column<number>(),
  uuid: column<string>(),
  name: column<string | null>('personal'),
  email: column<string | null>('personal'),
  phone: column<string | null>('personal'),
  emailVerifiedAt: column<Date | null>(),
  phoneVerifiedAt: column<Date | null>(),
  avatarUrl: column<string | null>('personal'),
  isSuperuser: column<boolean>(),
  enabled: column<boolean>(),
  /** Created for one member, by its workspace: nobody has signed in to it, and it has no address of its own. */
  standsAlone: column<boolean>(),
  signupWorkspaceId: column<number | null>(),
  tosAccepted: column<boolean>(),
  optedOut: column<boolean>(),
  paymentCustomerId: column<string | null>('personal'),
  locale: column<string>('code'),
  timezone: column<string>('code'),
  createdAt: column<Date>(),
  updatedAt: column<Date>(),
}) {}

export type AccountRow = RowOf<AccountModel>;
