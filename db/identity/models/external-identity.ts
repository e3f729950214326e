import { column, identityTable } from '../../lib/table.js';
import type { RowOf } from '../../lib/table-model.js';

/** A person as the identity provider of an organization knows it. It says nothing outside of that organization. */
export class ExternalIdentityModel extends identityTable('external_identities', {
  id: column<number>(),
  organizationId: column<number>(),
  issuer: column<string>('code'),
  subject: column<string>('personal'),
  accountId: column<number>(),
  createdAt: column<Date>(),
  lastUsedAt: column<Date>(),
}) {}

export type ExternalIdentityRow = RowOf<ExternalIdentityModel>;
