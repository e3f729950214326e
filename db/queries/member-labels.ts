import type { Tx } from '../database.js';
import { MemberLabelModel, type MemberLabelRow } from '../models/member-label.js';
import { MemberLabelLinkModel } from '../models/member-label-link.js';
import { toRow } from '../models/tenant-model.js';
import { prepared } from '../statement.js';
import { among } from './among.js';

export type { MemberLabelRow } from '../models/member-label.js';

export type MemberLabelSummary = Pick<MemberLabelRow, 'id' | 'slug' | 'name'>;

export async function findMemberLabels(tx: Tx, ids: readonly number[]): Promise<MemberLabelRow[]> {
  return (await MemberLabelModel.query(tx).findByIds([...ids])).map(toRow);
}

/** The labels of several members in one query, by member id, each list in order of name. */
export async function labelsOfMembers(
  tx: Tx,
  memberIds: readonly number[],
): Promise<Map<number, MemberLabelSummary[]>> {
  const labels = new Map<number, MemberLabelSummary[]>(memberIds.map((id) => [id, []]));
  const { condition, binding } = among('link.member_id', memberIds);
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

/** Gives a member exactly these labels. */
export async function replaceMemberLabels(
  tx: Tx,
  memberId: number,
  labelIds: readonly number[],
): Promise<void> {
  await MemberLabelLinkModel.query(tx).delete().where({ member_id: memberId });
  if (labelIds.length === 0) return;
  await MemberLabelLinkModel.query(tx).insert(
    [...new Set(labelIds)].map((memberLabelId) => ({ workspaceId: tx.workspaceId, memberId, memberLabelId })),
  );
}
