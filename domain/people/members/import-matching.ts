import type { IdentifierHolder } from '../../../db/people/write-members.js';
import { IdentifierIndex, identifierFields } from './identifiers.js';
import type { MemberChanges } from './member-attributes.js';

/** A row, and whom it is about: a member, or nobody yet. */
export interface Matched<Row> {
  row: Row;
  memberId: number | null;
}

export interface Matching<Row> {
  /** Rows that are about different people, in their order: they can be written together. */
  matched: Matched<Row>[];
  /** Rows that name two members as one. */
  ambiguous: Row[];
  /** Rows that may be about somebody of those above, and all after them: whom, is known once those are written. */
  later: Row[];
}

/**
 * Whom rows are about (specification, member import 1): who has the email or the phone number; where a row has neither,
 * who has the external id. `holders` are all members that have any of the rows' identifiers.
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
