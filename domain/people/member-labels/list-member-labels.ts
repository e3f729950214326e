import {
  listMemberLabels as findLabels,
  type MemberLabelRow,
  type MemberLabelSortField,
} from '../../../db/people/member-labels.js';
import type { CommandContext } from '../../kernel/context.js';
import type { PageOf, PageRequest } from '../../lib/paging.js';

/** Lists the workspace's labels for members. Every member may read them. */
export async function listMemberLabels(
  { db, actor }: CommandContext,
  request: PageRequest<MemberLabelSortField> & { search?: string | undefined; slug?: string | undefined },
): Promise<PageOf<MemberLabelRow>> {
  return db.readInWorkspace(actor.workspaceId, (tx) => findLabels(tx, request, request));
}
