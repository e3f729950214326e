import { column, identityTable, tenantTable } from '../../lib/table.js';
import type { RowOf } from '../../lib/table-model.js';

/** What an audit log says of an act. No content: ids, codes and names of fields. */
const act = {
  createdAt: column<Date>(),
  action: column<string>('code'),
  credentialKind: column<string | null>('code'),
  credentialId: column<number | null>(),
  subjectType: column<string | null>('code'),
  subjectId: column<number | null>(),
  /** Names of what was changed, or what was asked for. */
  names: column<readonly string[]>('codes'),
  address: column<string | null>('personal'),
  userAgent: column<string | null>('personal'),
  requestId: column<string | null>('personal'),
  /** How often it happened; more than once only for what is sampled by the hour. */
  count: column<number>(),
  sampledHour: column<Date | null>(),
};

/** The log of a workspace. */
export class AuditEventModel extends tenantTable('audit_events', {
  ...act,
  /** Null if none of its members acted. */
  actorMemberId: column<number | null>(),
}) {}

/** The log of an account. */
export class AccountAuditEventModel extends identityTable('audit_events', {
  id: column<number>(),
  accountId: column<number>(),
  ...act,
}) {}

/** The log of an organization. */
export class OrganizationAuditEventModel extends identityTable('organization_audit_events', {
  id: column<number>(),
  organizationId: column<number>(),
  actorAccountId: column<number | null>(),
  actorMemberId: column<number | null>(),
  ...act,
}) {}

export type AuditEventRow = Omit<RowOf<AuditEventModel>, 'workspaceId' | 'sampledHour'>;
