import {
  type AssignmentFilter,
  type AssignmentSortField,
  listAssignments as findAssignments,
} from '../../db/assignments/assignments.js';
import type { CommandContext } from '../kernel/context.js';
import { InvalidInput } from '../lib/errors.js';
import type { PageOf, PageRequest } from '../lib/paging.js';
import {
  type AssignmentView,
  fittingAssignments,
  viewAssignment,
  viewAssignments,
} from './assignment-view.js';
import { readableAssignment } from './require-assignment.js';

/** Other members' assignments need `assignments:read`. @throws NotFound, Forbidden */
export async function getAssignment(
  { db, actor }: CommandContext,
  assignmentId: number,
): Promise<AssignmentView> {
  return db.readInWorkspace(actor.workspaceId, async (tx) =>
    viewAssignment(tx, actor, await readableAssignment(tx, actor, assignmentId)),
  );
}

/** `mine` is implied for callers without `assignments:read`. @throws Forbidden if the filter names another member */
export async function listAssignments(
  { db, actor }: CommandContext,
  { mine, ...filter }: AssignmentFilter & { mine?: boolean },
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
