import { idCondition } from '../lib/id-condition.js';
import { columnOf } from '../lib/table-model.js';
import { prepared } from '../statement.js';
import type { Tx } from '../tx.js';
import type { MemberIdentifiers, MemberValues } from './members.js';
import { MemberModel, type MemberRow } from './models/member.js';

/** Sign-up, the API and imports write members by the same few statements, one or many at a time. */

type Writable = Exclude<keyof MemberValues, 'kind'>;

/** The fields that can be updated, with the types of the arrays in which their values are sent. */
const typeOf: Record<Writable, string> = {
  name: 'text',
  email: 'text',
  phone: 'text',
  dateOfBirth: 'date',
  description: 'text',
  externalId: 'text',
  memberRoleId: 'bigint',
  locale: 'text',
  notifyEmail: 'boolean',
  notifySms: 'boolean',
  notifyVoice: 'boolean',
};
const writable = Object.entries(typeOf).map(
  ([field, type]) => [field as Writable, columnOf(field), type] as const,
);
const columns = writable.map(([, column]) => column).join(', ');
const arrays = writable.map(([, , type]) => `?::${type}[]`).join(', ');
const valuesOf = (rows: readonly Pick<MemberValues, Writable>[]) =>
  writable.map(([field]) => rows.map((row) => row[field]));

/** Whether the identifiers of one member or of many are about to be written. */
export type IdentifierLock = 'one' | 'many';

/**
 * Prevents deadlocks: writers of many members wait for each other and for those of one, which wait only for the former.
 */
export async function lockIdentifiers(tx: Tx, writes: IdentifierLock): Promise<void> {
  const lock = writes === 'many' ? 'pg_advisory_xact_lock' : 'pg_advisory_xact_lock_shared';
  await prepared(tx, `select ${lock}(hashtextextended('member identifiers', ?))`, [tx.workspaceId]);
}

/** Returns those of these members that are not deleted, and locks them until the transaction ends. */
export async function lockMembers(tx: Tx, ids: readonly number[]): Promise<MemberRow[]> {
  const { condition, binding } = idCondition('id', ids);
  return MemberModel.where(tx, `${condition} and deleted_at is null order by id for no key update`, [
    binding,
  ]);
}

export type IdentifierHolder = MemberIdentifiers & { id: number };

/** Finds the members that have any of these identifiers. A member that has several may be returned several times. */
export async function findIdentifierHolders(
  tx: Tx,
  wanted: readonly Partial<MemberIdentifiers>[],
): Promise<IdentifierHolder[]> {
  const given = (field: keyof MemberIdentifiers) =>
    wanted.map((one) => one[field]).filter((value) => value != null);
  const [emails, phones, externalIds] = [given('email'), given('phone'), given('externalId')];
  if (emails.length + phones.length + externalIds.length === 0) return [];
  const holders = `select id, email, phone, external_id as "externalId" from members where deleted_at is null and`;
  return prepared(
    tx,
    `${holders} email = any(?) union all ${holders} phone = any(?) union all ${holders} external_id = any(?)`,
    [emails, phones, externalIds],
  );
}

/** A member to be stored; its labels must exist. */
export interface MemberToStore {
  uuid: string;
  values: MemberValues;
  labelIds: readonly number[];
  /** Whether the workspace has written the person down itself, with the addresses that it gives. */
  isVouchedFor: boolean;
}

/** Inserts members with their labels, in order, without those whose identifier is taken, also by an earlier one. */
export async function insertMembers(
  tx: Tx,
  members: readonly MemberToStore[],
  now: Date,
): Promise<(MemberRow & { memberRoleName: string })[]> {
  const values = members.map((member) => member.values);
  const links = members.flatMap(({ uuid, labelIds }) =>
    [...new Set(labelIds)].map((labelId) => [uuid, labelId] as const),
  );
  return prepared(
    tx,
    `with members as (
       insert into members (workspace_id, created_at, updated_at, uuid, kind, vouched_for, ${columns})
       select ?::bigint, ?::timestamptz, ?::timestamptz, uuid, kind, case when vouched then array_remove(array['record',
         case when email is not null then 'email' end, case when phone is not null then 'phone' end], null) else '{}' end, ${columns}
       from unnest(?::uuid[], ?::text[], ?::boolean[], ${arrays})
         with ordinality as new (uuid, kind, vouched, ${columns}, place)
       order by place
       on conflict do nothing
       returning *
     ), links as (
       insert into member_label_links (workspace_id, member_id, member_label_id)
       select members.workspace_id, members.id, link.label_id
       from unnest(?::uuid[], ?::bigint[]) as link (member_uuid, label_id)
       join members on members.uuid = link.member_uuid
     )
     select ${MemberModel.columns}, member_roles.name as "memberRoleName"
     from members join member_roles on member_roles.id = members.member_role_id order by members.id`,
    [
      tx.workspaceId,
      now,
      now,
      members.map(({ uuid }) => uuid),
      values.map(({ kind }) => kind),
      members.map(({ isVouchedFor }) => isVouchedFor),
      ...valuesOf(values),
      links.map(([uuid]) => uuid),
      links.map(([, labelId]) => labelId),
    ],
  );
}

export async function writeMembers(tx: Tx, rows: readonly MemberRow[]): Promise<void> {
  if (rows.length === 0) return;
  await prepared(
    tx,
    `update members set (updated_at, ${columns}) = row(new.updated_at, ${writable
      .map(([, column]) => `new.${column}`)
      .join(', ')})
     from unnest(?::bigint[], ?::timestamptz[], ${arrays}) as new (id, updated_at, ${columns})
     where members.id = new.id`,
    [rows.map(({ id }) => id), rows.map(({ updatedAt }) => updatedAt), ...valuesOf(rows)],
  );
}
