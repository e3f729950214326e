import { findPeople, type Person } from '../../../../db/people/people.js';
import type { Tx } from '../../../../db/tx.js';
import { normalizeEmail } from '../../../lib/email.js';
import type { FieldError } from '../../../lib/errors.js';
import { normalizePhone } from '../../../lib/phone.js';
import { plainText } from '../../../lib/plain-text.js';
import { cellError, idOfCell, type PersonName, type RecordRow } from './import-columns.js';

/** The member that the record of a row belongs to. */
export type Owner =
  | { status: 'found'; memberId: number }
  | { status: 'unnamed' }
  | { status: 'failed'; errors: FieldError[] };

const keys = ['id', 'email', 'phone', 'externalId'] as const;

/** Looks up the members of all rows together. */
export async function findOwners(
  tx: Tx,
  rows: readonly RecordRow[],
  defaultRegion: string,
): Promise<(row: RecordRow) => Owner> {
  const names = rows.flatMap((row) => row.names);
  const sought = (key: keyof Person) =>
    names.filter((name) => name.key === key).flatMap((name) => wordFor(name, defaultRegion) ?? []);
  const identifiers = {
    ids: sought('id').map(Number),
    emails: sought('email'),
    phones: sought('phone'),
    externalIds: sought('externalId'),
  };
  const people = names.length === 0 ? [] : await findPeople(tx, identifiers);
  const known = new Map(people.flatMap((person) => keys.map((key) => [`${key} ${person[key]}`, person.id])));
  const memberIdOf = (name: PersonName) => {
    const value = wordFor(name, defaultRegion);
    return value === null ? undefined : known.get(`${name.key} ${value}`);
  };
  return (row) => ownerAmong(row.names, memberIdOf);
}

function ownerAmong(
  names: readonly PersonName[],
  memberIdOf: (name: PersonName) => number | undefined,
): Owner {
  const [first] = names;
  if (first === undefined) return { status: 'unnamed' };
  const failed = (wrong: PersonName[], message: string): Owner => {
    return { status: 'failed', errors: wrong.map(({ column }) => cellError(column, message)) };
  };
  const unknown = names.filter((name) => memberIdOf(name) === undefined);
  const memberId = memberIdOf(first);
  if (memberId === undefined || unknown.length > 0) return failed(unknown, 'names no person');
  const others = names.filter((name) => memberIdOf(name) !== memberId);
  if (others.length > 0) return failed(others, `names another person than ${first.column}`);
  return { status: 'found', memberId };
}

/** The text in its stored form; null if it is no valid identifier of this kind. */
function wordFor({ key, text }: PersonName, defaultRegion: string): string | null {
  switch (key) {
    case 'id':
      return idOfCell(text)?.toString() ?? null;
    case 'email':
      return normalizeEmail(text);
    case 'phone':
      return normalizePhone(text, defaultRegion);
    case 'externalId':
      return plainText(text);
  }
}
