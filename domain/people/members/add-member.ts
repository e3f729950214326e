import { randomUUID } from 'node:crypto';
import type { Tx } from '../../../db/database.js';
import { type MemberLabelSummary, pinMemberLabels } from '../../../db/people/member-labels.js';
import type { MemberDetails, MemberValues } from '../../../db/people/members.js';
import { findIdentifierHolders, insertMembers, lockIdentifiers } from '../../../db/people/write-members.js';
import { Conflict } from '../../lib/errors.js';
import { IdentifierIndex, type TakenIdentifiers } from './identifiers.js';
import type { MemberChanges } from './member-attributes.js';

export interface NewMember {
  /** As they are stored (`normalizeAttributes`). What is left out is empty; notifications are on. */
  values: MemberChanges & { memberRoleId: number };
  /** One that was deleted meanwhile is passed over, as its links would be. */
  labelIds?: readonly number[];
}

export type AddedMember =
  | { status: 'created'; member: MemberDetails }
  /** Others have these identifiers, or one that was added before it. It was not added. */
  | { status: 'taken'; taken: TakenIdentifiers };

/**
 * Adds people to a workspace, without accounts: the one place where others add them (the API, sign-up, imports, inbound
 * messages), in a handful of statements for any number of them. An identifier that is taken, also by another request at
 * the same moment, is no error: the transaction goes on, and the result says who has it. What is acceptable, and whether
 * the caller may, is checked before.
 *
 * Locks are taken in one order: labels, then identifiers. For more than one call in a transaction see `changeMembers`.
 *
 * @returns what came of each, in their order
 * @throws Conflict when who had an identifier is deleted at the same moment; a foreign key's violation when the role
 * goes
 */
export async function addMembers(
  tx: Tx,
  { now }: { now: Date },
  members: readonly NewMember[],
): Promise<AddedMember[]> {
  if (members.length === 0) return [];
  const labels = await pinMemberLabels(tx, [...new Set(members.flatMap(({ labelIds }) => labelIds ?? []))]);
  const toStore = members.map(({ values, labelIds }) => ({
    uuid: randomUUID() as string,
    values: { ...emptyMember, ...values },
    labelIds: labelIds?.filter((id) => labels.has(id)) ?? [],
  }));
  const [, stored] = await Promise.all([
    lockIdentifiers(tx, members.length === 1 ? 'one' : 'many'),
    insertMembers(tx, toStore, now),
  ]);
  const byUuid = new Map(stored.map((row) => [row.uuid, row]));
  const refused = toStore.filter(({ uuid }) => !byUuid.has(uuid)).map(({ values }) => values);
  const holders = new IdentifierIndex(await findIdentifierHolders(tx, refused));
  return toStore.map(({ uuid, values, labelIds }) => {
    const row = byUuid.get(uuid);
    if (row !== undefined)
      return { status: 'created', member: { ...row, labels: labelled(labels, labelIds) } };
    const taken = holders.takenFrom(null, values);
    if (Object.keys(taken).length === 0) throw contended();
    return { status: 'taken', taken };
  });
}

/** Who had the identifier was deleted between the two statements. */
function contended(): Conflict {
  return new Conflict('member_contended', 'The member is being changed by someone else. Try again.');
}

/** In the order of `labels`, that of names. */
function labelled(
  labels: ReadonlyMap<number, MemberLabelSummary>,
  ids: readonly number[],
): MemberLabelSummary[] {
  return [...labels.values()].filter(({ id }) => ids.includes(id));
}

const emptyMember: Omit<MemberValues, 'memberRoleId'> = {
  kind: 'human',
  name: null,
  email: null,
  phone: null,
  dateOfBirth: null,
  description: null,
  externalId: null,
  locale: null,
  notifyEmail: true,
  notifySms: true,
  notifyVoice: true,
};
