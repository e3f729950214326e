import type { QueryBuilder } from 'objection';
import type { PageOf, PageRequest } from '../../domain/lib/paging.js';
import { containsPattern } from '../lib/contains-pattern.js';
import { idCondition } from '../lib/id-condition.js';
import { readPage } from '../lib/read-page.js';
import { prepared } from '../statement.js';
import type { Tx } from '../tx.js';
import { labelsOfMembers, type MemberLabelSummary } from './member-labels.js';
import { MemberModel, type MemberRow } from './models/member.js';
import { MemberLabelLinkModel } from './models/member-label.js';

export type { MemberRow } from './models/member.js';

export type MemberValues = Omit<
  MemberRow,
  | 'id'
  | 'workspaceId'
  | 'uuid'
  | 'disabledAt'
  | 'smsOptedOutAt'
  | 'vouchedFor'
  | 'deletedAt'
  | 'createdAt'
  | 'updatedAt'
>;

/** The identifiers of a member besides its id; each is unique among the members of a workspace. */
export type MemberIdentifiers = Pick<MemberRow, 'email' | 'phone' | 'externalId'>;

/** A member as the API shows it: with its role's name and its labels. */
export interface MemberDetails extends MemberRow {
  memberRoleName: string;
  labels: MemberLabelSummary[];
}

/** Selects members: all given conditions apply, and any value of a list may match. */
export interface MemberFilter {
  ids?: readonly number[];
  /** Part of a name, email or phone number, or a whole external id. */
  search?: string;
  kind?: MemberRow['kind'];
  memberRoleId?: readonly number[];
  memberRole?: readonly string[];
  memberLabelId?: readonly number[];
  memberLabel?: readonly string[];
  email?: string;
  phone?: string;
  externalId?: string;
  disabled?: boolean;
  createdFrom?: Date | undefined;
  createdBefore?: Date | undefined;
  updatedFrom?: Date | undefined;
  updatedBefore?: Date | undefined;
}

export type MemberSortField = 'id' | 'name' | 'email' | 'phone' | 'externalId' | 'createdAt' | 'updatedAt';

const sortColumns: Record<MemberSortField, string> = {
  id: 'members.id',
  name: 'members.name',
  email: 'members.email',
  phone: 'members.phone',
  externalId: 'members.external_id',
  createdAt: 'members.created_at',
  updatedAt: 'members.updated_at',
};

export async function findMember(tx: Tx, id: number): Promise<MemberRow | undefined> {
  return MemberModel.first(tx, 'id = ? and deleted_at is null', [id]);
}

/** `findMember` for several members, in no particular order. */
export async function findMembers(tx: Tx, ids: readonly number[]): Promise<MemberRow[]> {
  const { condition, binding } = idCondition('id', ids);
  return MemberModel.where(tx, `${condition} and deleted_at is null`, [binding]);
}

/** Like `findMember`, and locks the row until the transaction ends. */
export async function lockMember(tx: Tx, id: number): Promise<MemberRow | undefined> {
  return MemberModel.first(tx, 'id = ? and deleted_at is null for no key update', [id]);
}

/** Like `lockMember`, for a member that may be deleted. */
export async function lockMemberOrDeleted(tx: Tx, id: number): Promise<MemberRow | undefined> {
  return MemberModel.first(tx, 'id = ? for no key update', [id]);
}

/** Like `findMember`, for a member that may be deleted. */
export async function findMemberOrDeleted(tx: Tx, id: number): Promise<MemberRow | undefined> {
  return MemberModel.find(tx, id);
}

export async function findMemberByPhone(tx: Tx, phone: string): Promise<MemberRow | undefined> {
  return MemberModel.first(tx, 'phone = ? and deleted_at is null', [phone]);
}

export async function findMemberByEmail(tx: Tx, email: string): Promise<MemberRow | undefined> {
  return MemberModel.first(tx, 'email = ? and deleted_at is null', [email]);
}

export async function findMemberDetails(tx: Tx, id: number): Promise<MemberDetails | undefined> {
  const [row, labels] = await Promise.all([
    memberDetails(tx).where('members.id', id).first(),
    labelsOfMembers(tx, [id]),
  ]);
  return row === undefined ? undefined : { ...(row as DetailsModel), labels: labels.get(id) ?? [] };
}

/** `findMemberDetails` for several members, in no particular order. */
export async function selectMemberDetails(tx: Tx, ids: readonly number[]): Promise<MemberDetails[]> {
  if (ids.length === 0) return [];
  return withLabels(tx, await memberDetails(tx).whereIn('members.id', [...ids]));
}

export async function selectMembers(
  tx: Tx,
  filter: MemberFilter,
  page: PageRequest<MemberSortField>,
): Promise<PageOf<MemberDetails>> {
  const query = memberDetails(tx);
  applyFilter(query, filter);
  const found = await readPage(query, page, sortColumns[page.sortBy], sortColumns.id);
  return { ...found, items: await withLabels(tx, found.items) };
}

/** Lists the members that match a filter, in order of id, after the id `after`. */
export async function selectMembersAfter(
  tx: Tx,
  filter: MemberFilter,
  after: number,
  limit: number,
): Promise<MemberDetails[]> {
  const query = memberDetails(tx);
  applyFilter(query, filter);
  return withLabels(tx, await query.where('members.id', '>', after).orderBy('members.id').limit(limit));
}

export async function insertMember(tx: Tx, values: MemberValues, now: Date): Promise<MemberRow> {
  return MemberModel.insert(tx, { ...values, createdAt: now, updatedAt: now });
}

/** The row stays, so that history stays readable; its identifiers become available. */
export async function markMemberDeleted(tx: Tx, id: number, now: Date): Promise<void> {
  await MemberModel.updateWhere(tx, { deletedAt: now, updatedAt: now }, 'id = ? and deleted_at is null', [
    id,
  ]);
}

export async function setMemberDisabled(
  tx: Tx,
  id: number,
  disabledAt: Date | null,
  now: Date,
): Promise<void> {
  await MemberModel.updateWhere(tx, { disabledAt, updatedAt: now }, 'id = ? and deleted_at is null', [id]);
}

/** Returns the people who have one of these roles and are neither disabled nor deleted. */
export async function idsOfPeopleWithRoles(tx: Tx, memberRoleIds: readonly number[]): Promise<number[]> {
  const rows = await MemberModel.query(tx)
    .select('id')
    .where({ kind: 'human' })
    .whereIn('member_role_id', [...memberRoleIds])
    .whereNull('disabled_at')
    .whereNull('deleted_at');
  return rows.map(({ id }) => id);
}

type DetailsModel = MemberModel & { memberRoleName: string };

function memberDetails(tx: Tx): QueryBuilder<MemberModel> {
  return MemberModel.query(tx)
    .join('member_roles', 'member_roles.id', 'members.member_role_id')
    .whereNull('members.deleted_at')
    .select('members.*', 'member_roles.name as member_role_name');
}

async function withLabels(tx: Tx, rows: MemberModel[]): Promise<MemberDetails[]> {
  if (rows.length === 0) return [];
  const labels = await labelsOfMembers(
    tx,
    rows.map((row) => row.id),
  );
  return (rows as DetailsModel[]).map((row) => ({ ...row, labels: labels.get(row.id) ?? [] }));
}

function applyFilter(query: QueryBuilder<MemberModel>, filter: MemberFilter): void {
  const { search, createdFrom, createdBefore, updatedFrom, updatedBefore } = filter;
  if (filter.ids !== undefined) query.whereIn('members.id', [...filter.ids]);
  for (const [field, column] of exactColumns) {
    const value = filter[field];
    if (value !== undefined) query.where(column, value);
  }
  if (filter.memberRoleId !== undefined) query.whereIn('members.member_role_id', [...filter.memberRoleId]);
  if (filter.memberRole !== undefined) query.whereIn('member_roles.name', [...filter.memberRole]);
  // Constant conditions, so that PostgreSQL can use the partial index on them.
  if (filter.disabled !== undefined) {
    query.whereRaw(filter.disabled ? 'members.disabled_at is not null' : 'members.disabled_at is null');
  }
  if (createdFrom !== undefined) query.where('members.created_at', '>=', createdFrom);
  if (createdBefore !== undefined) query.where('members.created_at', '<', createdBefore);
  if (updatedFrom !== undefined) query.where('members.updated_at', '>=', updatedFrom);
  if (updatedBefore !== undefined) query.where('members.updated_at', '<', updatedBefore);
  if (filter.memberLabelId !== undefined) hasLabel(query, 'member_labels.id', filter.memberLabelId);
  if (filter.memberLabel !== undefined) hasLabel(query, 'member_labels.slug', filter.memberLabel);
  if (search !== undefined && search !== '') {
    const part = containsPattern(search);
    query.where((any) => {
      for (const column of ['members.name', 'members.email', 'members.phone']) any.orWhereILike(column, part);
      any.orWhere('members.external_id', search);
    });
  }
}

const exactColumns = [
  ['kind', 'members.kind'],
  ['email', 'members.email'],
  ['phone', 'members.phone'],
  ['externalId', 'members.external_id'],
] as const;

function hasLabel(
  query: QueryBuilder<MemberModel>,
  column: string,
  values: readonly (number | string)[],
): void {
  query.whereExists(
    MemberLabelLinkModel.query()
      .join('member_labels', 'member_labels.id', 'member_label_links.member_label_id')
      .whereColumn('member_label_links.member_id', 'members.id')
      .whereIn(column, [...values]),
  );
}

export async function isMemberDisabled(tx: Tx, memberId: number): Promise<boolean> {
  const found = await prepared(
    tx,
    `select 1 from members member
     left join identity.memberships membership
       on membership.workspace_id = member.workspace_id and membership.member_id = member.id
     left join identity.accounts account on account.id = membership.account_id
     where member.id = ? and member.deleted_at is null
       and (member.disabled_at is not null or not account.enabled)`,
    [memberId],
  );
  return found.length > 0;
}
