import { column, json, tenantTable } from '../../lib/table.js';
import type { RowOf } from '../../lib/table-model.js';

/** Where an erasure has stopped in its pass through the tables. */
export interface ErasurePlace {
  table: string;
  /** The id to continue after. */
  after: number;
  /** Of the rows of a full batch: less after statements that took too long. */
  share: number;
  /** Rows that this pass has erased so far. */
  erased: number;
}

export class PersonErasureModel extends tenantTable('person_erasures', {
  uuid: column<string>(),
  memberId: column<number>(),
  requestedByMemberId: column<number>(),
  /** The account that is erased as well, because it was used in this workspace only. */
  accountId: column<number | null>(),
  /** The transaction that it began in: what older transactions write is awaited. */
  begunIn: column<number>(),
  /** Numbers of erased rows by table. */
  counts: json<Record<string, number>>('counts'),
  /** Null: no pass is under way. */
  place: json<ErasurePlace | null>('counts'),
  createdAt: column<Date>(),
  /** When it was begun anew, after it had finished. */
  reopenedAt: column<Date | null>(),
  /** When nothing was left for the first time. */
  erasedAt: column<Date | null>(),
  /** When late writes are looked for. */
  lookAgainAt: column<Date | null>(),
  finishedAt: column<Date | null>(),
}) {}

export type PersonErasureRow = RowOf<PersonErasureModel>;
