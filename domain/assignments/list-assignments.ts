import {
  type AssignmentFilter,
  type AssignmentSortField,
  listAssignments as findAssignments,
} from '../../db/assignments/assignments.js';
import type { CommandContext } from '../kernel/context.js';
import { InvalidInput } from '../lib/errors.js';
import type { PageOf, PageRequest } from '../lib/paging.js';
import { type AssignmentView, fittingAssignments, viewAssignments } from './assignment-view.js';

export interface ListAssignments extends AssignmentFilter {
  /** Only the caller's own assignments. Implied for callers without `assignments:read`. */
  mine?: boolean;
}

/**
 * Lists assignments by filter. Other members' assignments need `assignments:read`.
 *
 * @throws Forbidden if the filter names another member and the caller lacks `assignments:read`
 */
export async function listAssignments(
  { db, actor }: CommandContext,
  { mine, ...filter }: ListAssignments,
  page: PageRequest<AssignmentSortField>,
): Promise<PageOf<AssignmentView>> {
  const { memberId } = filter;
  if (memberId !== undefined) actor.requireSelfOr(memberId, 'assignments:read');
  const isMine = mine === true || !actor.can('assignments:read');
  if (isMine && memberId !== undefined && memberId !== actor.memberId) {
    throw InvalidInput.field('/memberId', 'excludes mine');
  }
  const visible = isMine ? { ...filter, memberId: actor.memberId } : filter;
  return db.readInWorkspace(actor.workspaceId, async (tx) => {
    const { items, total, isCut } = await findAssignments(tx, visible, page);
    const fitting = await fittingAssignments(tx, items);
    const views = await viewAssignments(tx, actor, fitting);
    return { items: views, total, isCut: isCut === true || fitting.length < items.length };
  });
}
