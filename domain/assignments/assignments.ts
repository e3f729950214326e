import {
  type AssignmentFilter,
  type AssignmentSortField,
  selectAssignments,
} from '../../db/assignments/assignments.js';
import { countMessages, selectMessages } from '../../db/conversations/message-pages.js';
import type { MessageRow } from '../../db/conversations/messages.js';
import { findParticipantRole } from '../../db/conversations/participants.js';
import { seesNotes } from '../chat-state/chat-access.js';
import type { CommandContext } from '../kernel/context.js';
import { InvalidInput } from '../lib/errors.js';
import type { PageOf, PageRequest } from '../lib/paging.js';
import {
  type AssignmentTaskView,
  type AssignmentView,
  findTaskView,
  fittingAssignments,
  viewAssignment,
  viewAssignments,
} from './assignment-view.js';
import { readableAssignment } from './require-assignment.js';

// Reading other members' assignments needs `assignments:read`.

/** @throws NotFound, Forbidden */
export async function getAssignment(
  { db, actor, clock }: CommandContext,
  id: number,
): Promise<AssignmentView> {
  return db.readInWorkspace(actor.workspaceId, async (tx) =>
    viewAssignment(tx, actor, await readableAssignment(tx, actor, id), clock.now()),
  );
}

/** @throws NotFound, Forbidden */
export async function getAssignmentTask(
  { db, actor }: CommandContext,
  assignmentId: number,
  assignmentTaskId: number,
): Promise<AssignmentTaskView> {
  return db.readInWorkspace(actor.workspaceId, async (tx) =>
    findTaskView(tx, await readableAssignment(tx, actor, assignmentId), assignmentTaskId),
  );
}

/** `mine` is implied for callers without `assignments:read`. @throws Forbidden if the filter names another member */
export async function listAssignments(
  { db, actor, clock }: CommandContext,
  { mine, ...filter }: AssignmentFilter & { mine?: boolean },
  page: PageRequest<AssignmentSortField>,
): Promise<PageOf<AssignmentView>> {
  const { memberId, standing } = filter;
  if (standing !== undefined) actor.require('assignments:read');
  if (memberId !== undefined) actor.requireSelfOr(memberId, 'assignments:read');
  const isMine = mine === true || !actor.can('assignments:read');
  if (isMine && memberId !== undefined && memberId !== actor.memberId) {
    throw InvalidInput.field('/memberId', 'excludes mine');
  }
  const visible = isMine ? { ...filter, memberId: actor.memberId } : filter;
  return db.readInWorkspace(actor.workspaceId, async (tx) => {
    const { items, total, isCut } = await selectAssignments(tx, visible, page);
    const fitting = await fittingAssignments(tx, items);
    const views = await viewAssignments(tx, actor, fitting, clock.now());
    return { items: views, total, isCut: isCut === true || fitting.length < items.length };
  });
}

/** The messages of an assignment's chat, newest first, and their total if requested. @throws NotFound, Forbidden */
export async function listAssignmentMessages(
  { db, actor }: CommandContext,
  input: { assignmentId: number; limit: number; offset: number; count: boolean },
): Promise<{ messages: MessageRow[]; total?: number }> {
  return db.readInWorkspace(actor.workspaceId, async (tx) => {
    const { chatId, memberId } = await readableAssignment(tx, actor, input.assignmentId);
    const roleIn = (id: number) => findParticipantRole(tx, id, actor.memberId);
    const filter = { chatId, withNotes: await seesNotes(actor, { id: chatId, memberId }, roleIn) };
    const [messages, total] = await Promise.all([
      selectMessages(tx, filter, input.limit, input.offset),
      input.count ? countMessages(tx, filter) : undefined,
    ]);
    return total === undefined ? { messages } : { messages, total };
  });
}
