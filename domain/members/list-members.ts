import {
  listMembers as findMembers,
  type MemberDetails,
  type MemberFilter,
  type MemberSortField,
} from '../../db/queries/members.js';
import type { CommandContext } from '../context.js';
import type { PageOf, PageRequest } from '../paging.js';

/** Members by filter. Who may not read others' details finds only themselves. */
export async function listMembers(
  { db, actor }: CommandContext,
  filter: Omit<MemberFilter, 'ids'>,
  page: PageRequest<MemberSortField>,
): Promise<PageOf<MemberDetails>> {
  const visible = actor.can('members:read') ? filter : { ...filter, ids: [actor.memberId] };
  return db.inWorkspace(actor.workspaceId, (tx) => findMembers(tx, visible, page));
}
