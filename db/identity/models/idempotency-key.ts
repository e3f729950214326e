import { column, identityTable, tenantTable } from '../../lib/table.js';
import type { RowOf } from '../../lib/table-model.js';

const outcome = {
  /** SHA-256 of caller, operation, target and key. */
  digest: column<Buffer>('digest'),
  operation: column<string>('code'),
  fingerprint: column<Buffer>('digest'),
  status: column<number>(),
  /** Null where it holds a secret, or described something that was deleted since. */
  answer: column<string | null>('personal'),
  /** Of the created resource, where it has a numeric id. */
  resourceId: column<number | null>(),
  /** The caller's permissions; null where an earlier release answered. */
  grants: column<readonly string[] | null>('codes'),
  createdAt: column<Date>(),
};

export class IdempotencyKeyModel extends tenantTable('idempotency_keys', outcome) {}

export class AccountIdempotencyKeyModel extends identityTable('account_idempotency_keys', {
  id: column<number>(),
  ...outcome,
}) {}

export type IdempotencyKeyRow = Omit<RowOf<AccountIdempotencyKeyModel>, 'id'>;
