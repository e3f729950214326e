import type { IdentifierHolder } from '../../../../db/people/write-members.js';
import { IdentifierIndex, identifierFields } from '../identifiers.js';
import type { MemberChanges } from '../member-attributes.js';

export interface Matched<Row> {
  row: Row;
  memberId: number | null;
}

export interface Matching<Row> {
  /** Rows about different members, in order, which can be written together. */
  matched: Matched<Row>[];
  /** Rows whose identifiers belong to two different members. */
  ambiguous: Row[];
  /** The first row that may be about an earlier row's member, and all after it, to be matched later. */
  later: Row[];
}

/**
 * By email or phone; a row with neither, by external id (specification, member import 1). `holders` have the rows'
 * identifiers.
 */
export function matchRows<Row extends { changes: MemberChanges }>(
  rows: readonly Row[],
  holders: readonly IdentifierHolder[],
): Matching<Row> {
  const book = new IdentifierIndex(holders);
  const matched: Matched<Row>[] = [];
  const ambiguous: Row[] = [];
  const met = new Set<string>();
  for (const [index, row] of rows.entries()) {
    const [memberId = null, second] = membersNamed(book, row.changes);
    const keys = keysOf(row.changes, memberId);
    if (keys.some((key) => met.has(key))) return { matched, ambiguous, later: rows.slice(index) };
    for (const key of keys) met.add(key);
    if (second === undefined) matched.push({ row, memberId });
    else ambiguous.push(row);
  }
  return { matched, ambiguous, later: [] };
}

function membersNamed(book: IdentifierIndex, { email, phone, externalId }: MemberChanges): number[] {
  const named = email == null && phone == null ? { externalId } : { email, phone };
  return [...new Set(Object.values(book.takenFrom(null, named as Record<string, string | null>)))];
}

function keysOf(changes: MemberChanges, memberId: number | null): string[] {
  const keys = identifierFields.filter((field) => changes[field] != null);
  const own = keys.map((field) => `${field} ${changes[field]}`);
  return memberId === null ? own : [...own, `id ${memberId}`];
}
