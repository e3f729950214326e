import { pokeRunsAwaitingMembers } from '../../../db/assignments/awaiting-runs.js';
import {
  findMemberLabels,
  labelsOfMembers,
  type MemberLabelSummary,
  pinMemberLabels,
  replaceLabelsOfMembers,
} from '../../../db/people/member-labels.js';
import { selectMemberRoles } from '../../../db/people/member-roles.js';
import type { MemberDetails, MemberRow } from '../../../db/people/members.js';
import {
  findIdentifierHolders,
  lockIdentifiers,
  lockMembers,
  writeMembers,
} from '../../../db/people/write-members.js';
import type { Tx } from '../../../db/tx.js';
import { memberUpdatedEvent } from '../../kernel/events/member-events.js';
import { writeEvents } from '../../kernel/events/write-events.js';
import { IdentifierIndex, identifierFields, type TakenIdentifiers } from './identifiers.js';
import type { MemberChanges } from './member-attributes.js';

export interface MemberChange {
  member: Pick<MemberRow, 'id'>;
  /** In stored form (`normalizeAttributes`). Omitted attributes keep their values. */
  changes: MemberChanges & { memberRoleId?: number };
  /** All labels of the member after the change. One that was deleted meanwhile is skipped. */
  labelIds?: readonly number[] | undefined;
  /** Alternative to `labelIds`: labels to add to the member's current ones. */
  moreLabelIds?: readonly number[];
  /** With these: labels to take from the current ones. */
  fewerLabelIds?: readonly number[];
}

export type ChangedMember =
  /** An unchanged member is not written. */
  | { status: 'updated' | 'unchanged'; member: MemberDetails }
  /** Other members have these identifiers, or an earlier change of the batch assigns them. Nothing was changed. */
  | { status: 'taken'; taken: TakenIdentifiers }
  | { status: 'gone' };

/**
 * Changes members, in a few statements for any number of them, and writes `member:updated` for each that differs. This
 * is the only place that changes members. The caller validates and checks permissions. Changes of one member apply in
 * order. Locks are taken in order: labels, identifiers, members by id. A transaction that also adds members or calls
 * this several times takes `lockIdentifiers(tx, 'many')` first if it writes more than one member.
 * @returns the outcome of each change, in order
 * @throws a unique violation if an identifier is taken concurrently, a foreign key violation if the role is deleted
 */
export async function changeMembers(
  tx: Tx,
  { now }: { now: Date },
  changes: readonly MemberChange[],
): Promise<ChangedMember[]> {
  if (changes.length === 0) return [];
  const workplace = await holdMembers(tx, changes);
  const results = changes.map((change) => makeChange(workplace, change, now));
  const updated = [...workplace.updated].flatMap((id) => workplace.members.get(id) ?? []);
  const labelled = changes
    .filter((change) => labelsGiven(change) !== undefined && workplace.updated.has(change.member.id))
    .flatMap(({ member: { id } }) => {
      const { labels } = workplace.members.get(id) ?? {};
      return labels === undefined ? [] : [{ memberId: id, labelIds: labels.map((label) => label.id) }];
    });
  await Promise.all([
    writeMembers(tx, updated),
    replaceLabelsOfMembers(tx, labelled),
    writeEvents(tx, updated.map(memberUpdatedEvent), now),
    pokeRunsAwaitingMembers(
      tx,
      updated.map(({ id }) => id),
    ),
  ]);
  return results;
}

/** The current members, locked until the transaction ends, with the rows that their changes refer to. */
interface Workplace {
  members: Map<number, MemberDetails>;
  labels: ReadonlyMap<number, MemberLabelSummary>;
  roleNames: ReadonlyMap<number, string>;
  identifiers: IdentifierIndex;
  /** Ids of the members that differ from their stored rows. */
  updated: Set<number>;
}

async function holdMembers(tx: Tx, items: readonly MemberChange[]): Promise<Workplace> {
  const ids = [...new Set(items.map(({ member }) => member.id))];
  const wanted = items
    .map(({ changes }) => changes)
    .filter((changes) => identifierFields.some((field) => changes[field] != null));
  const identifying =
    wanted.length === 0 ? Promise.resolve() : lockIdentifiers(tx, ids.length === 1 ? 'one' : 'many');
  const [pinned, , rows, linked, holders, roles] = await Promise.all([
    pinMemberLabels(tx, [...new Set(items.flatMap((item) => labelsGiven(item) ?? []))]),
    identifying,
    lockMembers(tx, ids),
    labelsOfMembers(tx, ids),
    findIdentifierHolders(tx, wanted),
    selectMemberRoles(tx),
  ]);
  const roleNames = new Map(roles.map(({ id, name }) => [id, name]));
  const members = rows.map((row): [number, MemberDetails] => [
    row.id,
    { ...row, memberRoleName: roleNames.get(row.memberRoleId) ?? '', labels: linked.get(row.id) ?? [] },
  ]);
  return {
    members: new Map(members),
    labels: items.some(({ moreLabelIds }) => moreLabelIds !== undefined)
      ? await withThoseLinked(tx, pinned, linked)
      : pinned,
    roleNames,
    identifiers: new IdentifierIndex(holders),
    updated: new Set(),
  };
}

function labelsGiven({ labelIds, moreLabelIds }: MemberChange): readonly number[] | undefined {
  return labelIds ?? moreLabelIds;
}

/**
 * Returns the given labels and those that the members have, in order of name. The latter need not be pinned: no
 * link to them is made.
 */
async function withThoseLinked(
  tx: Tx,
  pinned: ReadonlyMap<number, MemberLabelSummary>,
  linked: ReadonlyMap<number, readonly MemberLabelSummary[]>,
): Promise<ReadonlyMap<number, MemberLabelSummary>> {
  const linkedIds = [...linked.values()].flatMap((labels) => labels.map(({ id }) => id));
  const ids = [...new Set([...pinned.keys(), ...linkedIds])];
  return new Map((await findMemberLabels(tx, ids)).map((label) => [label.id, label]));
}

function makeChange(
  { members, labels, roleNames, identifiers, updated }: Workplace,
  { member: { id }, changes, labelIds, moreLabelIds, fewerLabelIds = [] }: MemberChange,
  now: Date,
): ChangedMember {
  const before = members.get(id);
  if (before === undefined) return { status: 'gone' };
  const taken = identifiers.takenFrom(id, changes);
  if (Object.keys(taken).length > 0) return { status: 'taken', taken };

  const had = before.labels.map((label) => label.id).filter((label) => !fewerLabelIds.includes(label));
  const wantedIds = labelIds ?? (moreLabelIds === undefined ? undefined : [...had, ...moreLabelIds]);
  const wanted = wantedIds === undefined ? undefined : new Set(wantedIds);
  const after: MemberDetails = {
    ...before,
    ...changes,
    labels:
      wanted === undefined ? before.labels : [...labels.values()].filter((label) => wanted.has(label.id)),
    updatedAt: laterThan(before.updatedAt, now),
  };
  after.memberRoleName = roleNames.get(after.memberRoleId) ?? before.memberRoleName;
  if (isSame(before, after)) return { status: 'unchanged', member: before };
  members.set(id, after);
  identifiers.note(id, changes);
  updated.add(id);
  return { status: 'updated', member: after };
}

/** Two changes of a member never have the same time, so that the time tells them apart. */
function laterThan(before: Date, now: Date): Date {
  return new Date(Math.max(now.getTime(), before.getTime() + 1));
}

function isSame(before: MemberDetails, after: MemberDetails): boolean {
  const { labels: labelsBefore, updatedAt: _before, ...rest } = before;
  const fields = Object.keys(rest) as (keyof typeof rest)[];
  return (
    fields.every((field) => before[field] === after[field]) &&
    labelsBefore.length === after.labels.length &&
    labelsBefore.every((label, index) => label.id === after.labels[index]?.id)
  );
}
