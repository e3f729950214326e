import type { MemberLabelRow } from '../../../../db/people/member-labels.js';
import type { MemberLabelResponse } from './schemas.js';

export function presentMemberLabel(row: MemberLabelRow): MemberLabelResponse {
  const { id, uuid, name, slug, color } = row;
  return { id, uuid, name, slug, color };
}
