import { column, identityTable, json } from '../../lib/table.js';

/** A position in a walk through all workspaces: the last row that was looked at. */
export interface WalkPlace {
  workspaceId: number;
  list: string;
  /** The last row of the list that was looked at; absent at the beginning of the list. */
  after?: unknown;
}

export class WalkModel extends identityTable('walks', {
  name: column<string>('code'),
  /** Null: the walk starts from the beginning. */
  place: json<WalkPlace | null>('counts'),
  /** The times that a source outside the database has been looked through between. */
  lookedFrom: column<Date | null>(),
  lookedUntil: column<Date | null>(),
}) {}

/** The time up to which the inbound messages of a carrier account have been looked through. */
export class CarrierCursorModel extends identityTable('carrier_cursors', {
  account: column<string>('code'),
  takenUntil: column<Date>(),
  updatedAt: column<Date>(),
}) {}
