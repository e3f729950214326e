import { randomUUID } from 'node:crypto';
import { type MemberLabelSummary, pinMemberLabels } from '../../../db/people/member-labels.js';
import type { MemberDetails, MemberValues } from '../../../db/people/members.js';
import { findIdentifierHolders, insertMembers, lockIdentifiers } from '../../../db/people/write-members.js';
import type { Tx } from '../../../db/tx.js';
import { memberCreatedEvent } from '../../kernel/events/member-events.js';
import { writeEvents } from '../../kernel/events/write-events.js';
import { Conflict } from '../../lib/errors.js';
import { IdentifierIndex, type TakenIdentifiers } from './identifiers.js';
import type { MemberChanges } from './member-attributes.js';

export interface NewMember {
  /** In stored form (`normalizeAttributes`). Omitted attributes are empty; notifications are on. */
  values: MemberChanges & { memberRoleId: number };
  /** A label that was deleted meanwhile is skipped; its deletion would have removed the link anyway. */
  labelIds?: readonly number[] | undefined;
  /**
   * Whether the workspace itself has written the person down, with `members:write`. Whoever comes by themselves, by a message, a call, a form
   * or as a visitor, is nobody until then (docs/decisions/0223-who-is-nobody.md).
   */
  isVouchedFor: boolean;
}

export type AddedMember =
  | { status: 'created'; member: MemberDetails }
  /** Other members, or earlier ones of the batch, have these identifiers. The member was not added. */
  | { status: 'taken'; taken: TakenIdentifiers };

/**
 * Adds people without accounts, and writes `member:created` for each, in a few statements for any number of them. A taken identifier is not an error: the
 * transaction continues, and the result names the member that has it. The caller validates and checks permissions.
 * Locks are taken in order: labels, identifiers. For several calls in one transaction see `changeMembers`. @returns the
 * outcome of each member, in order @throws Conflict `member_contended` if the identifier's member is deleted meanwhile;
 * a foreign key violation if the role is
 */
export async function addMembers(
  tx: Tx,
  { now }: { now: Date },
  members: readonly NewMember[],
): Promise<AddedMember[]> {
  if (members.length === 0) return [];
  const labels = await pinMemberLabels(tx, [...new Set(members.flatMap(({ labelIds }) => labelIds ?? []))]);
  const toStore = members.map(({ values, labelIds, isVouchedFor }) => ({
    isVouchedFor,
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
  const added = toStore.map(({ uuid, values, labelIds }): AddedMember => {
    const row = byUuid.get(uuid);
    if (row !== undefined)
      return { status: 'created', member: { ...row, labels: labelled(labels, labelIds) } };
    const taken = holders.takenFrom(null, values);
    if (Object.keys(taken).length === 0) throw contended();
    return { status: 'taken', taken };
  });
  const created = added.flatMap((one) => (one.status === 'created' ? [memberCreatedEvent(one.member)] : []));
  await writeEvents(tx, created, now);
  return added;
}

/** The member with the identifier was deleted between the two statements. */
function contended(): Conflict {
  return new Conflict('member_contended', 'The member is being changed by someone else. Try again.');
}

function labelled(
  labels: ReadonlyMap<number, MemberLabelSummary>,
  ids: readonly number[],
): MemberLabelSummary[] {
  return [...labels.values()].filter(({ id }) => ids.includes(id));
}

/** A person of whom nothing is known. */
export const emptyMember: Omit<MemberValues, 'memberRoleId'> = {
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
