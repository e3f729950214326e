import { idCondition } from '../lib/id-condition.js';
import type { LabelRow, LabelTable } from '../lib/labels.js';
import { prepared } from '../statement.js';
import type { Tx } from '../tx.js';
import { MemberLabelLinkModel, MemberLabelModel } from './models/member-label.js';

export type MemberLabelSummary = Pick<LabelRow, 'id' | 'slug' | 'name'>;
const summary = ['id', 'slug', 'name'] as const;

export const memberLabelTable: LabelTable = {
  model: MemberLabelModel,
  noun: 'member',
  lock: 'for no key update',
};

/** Returns the labels with these slugs, in order of name. */
export async function findMemberLabelsBySlug(
  tx: Tx,
  slugs: readonly string[],
): Promise<MemberLabelSummary[]> {
  if (slugs.length === 0) return [];
  return MemberLabelModel.pick(tx, summary, 'slug = any(?) order by name, id', [slugs]);
}

/** Returns those of these labels that exist, in order of name. */
export async function findMemberLabels(tx: Tx, ids: readonly number[]): Promise<MemberLabelSummary[]> {
  if (ids.length === 0) return [];
  const { condition, binding } = idCondition('id', ids);
  return MemberLabelModel.pick(tx, summary, `${condition} order by name, id`, [binding]);
}

/** Returns the labels of several members in one query, by member id, each list in order of name. */
export async function labelsOfMembers(
  tx: Tx,
  memberIds: readonly number[],
): Promise<Map<number, MemberLabelSummary[]>> {
  const labels = new Map<number, MemberLabelSummary[]>(memberIds.map((id) => [id, []]));
  const { condition, binding } = idCondition('link.member_id', memberIds);
  const rows = await prepared<MemberLabelSummary & { memberId: number }>(
    tx,
    `select link.member_id as "memberId", label.id, label.slug, label.name
     from member_label_links link join member_labels label on label.id = link.member_label_id
     where ${condition} order by label.name, label.id`,
    [binding],
  );
  for (const { memberId, id, slug, name } of rows) labels.get(memberId)?.push({ id, slug, name });
  return labels;
}

/** Returns those of these labels that exist, in order of name, and protects them from deletion meanwhile. */
export async function pinMemberLabels(
  tx: Tx,
  ids: readonly number[],
): Promise<Map<number, MemberLabelSummary>> {
  if (ids.length === 0) return new Map();
  const { condition, binding } = idCondition('id', ids);
  const rows = await prepared<MemberLabelSummary>(
    tx,
    `with pinned as (select id, slug, name from member_labels where ${condition} order by id for key share)
     select * from pinned order by name, id`,
    [binding],
  );
  return new Map(rows.map((label) => [label.id, label]));
}

export interface LabelledMember {
  memberId: number;
  labelIds: readonly number[];
}

/** Replaces the labels of members. The labels must be pinned and the members locked. */
export async function replaceLabelsOfMembers(tx: Tx, members: readonly LabelledMember[]): Promise<void> {
  if (members.length === 0) return;
  const links = members.flatMap(({ memberId, labelIds }) => labelIds.map((id) => [memberId, id] as const));
  const linked = [links.map(([memberId]) => memberId), links.map(([, labelId]) => labelId)];
  const { condition, binding } = idCondition(
    'member_id',
    members.map(({ memberId }) => memberId),
  );
  await Promise.all([
    MemberLabelLinkModel.deleteWhere(
      tx,
      `${condition} and (member_id, member_label_id) not in (select * from unnest(?::bigint[], ?::bigint[]))`,
      [binding, ...linked],
    ),
    prepared(
      tx,
      `insert into member_label_links (workspace_id, member_id, member_label_id)
       select ?, member_id, label_id from unnest(?::bigint[], ?::bigint[]) as link (member_id, label_id)
       on conflict do nothing`,
      [tx.workspaceId, ...linked],
    ),
  ]);
}
