import { column, tenantTable } from '../../lib/table.js';
import type { RowOf } from '../../lib/table-model.js';

/** A named value that requests of agents carry in a header; encrypted. */
export class SecretModel extends tenantTable('secrets', {
  uuid: column<string>(),
  name: column<string>('configuration'),
  /** The only hosts that it is sent to. */
  hosts: column<string[]>('codes'),
  ciphertext: column<Buffer>('encrypted'),
  changedByMemberId: column<number | null>(),
  valueChangedAt: column<Date>(),
  /** When a host first refused this value; null once it is taken again. */
  refusedAt: column<Date | null>(),
  createdAt: column<Date>(),
  updatedAt: column<Date>(),
}) {}

export type SecretRow = RowOf<SecretModel>;
