import { lockChat } from '../../db/conversations/chats.js';
import {
  attachPages,
  countPagesOfAssignment,
  detachPage,
  publishedAmong,
} from '../../db/sites/assignment-pages.js';
import type { CommandContext } from '../kernel/context.js';
import { Conflict, InvalidInput, NotFound } from '../lib/errors.js';
import { type AssignmentView, viewAssignment } from './assignment-view.js';
import { writableAssignment } from './require-assignment.js';

export const maxPagesOfAssignment = 10;

/**
 * Attaches published pages to an assignment, whose member reads them with it. Repeated, it changes nothing.
 * @throws NotFound, Forbidden, InvalidInput, Conflict `too_many_pages`
 */
export async function attachPagesToAssignment(
  { db, actor, clock }: CommandContext,
  assignmentId: number,
  pageIds: readonly number[],
): Promise<AssignmentView> {
  return db.inWorkspace(actor.workspaceId, async (tx) => {
    const assignment = await writableAssignment(tx, actor, assignmentId);
    await lockChat(tx, assignment.chatId);
    const published = await publishedAmong(tx, pageIds);
    const unknown = pageIds.flatMap((id, at) =>
      published.has(id) ? [] : [{ pointer: `/pageIds/${at}`, message: 'names no published page' }],
    );
    if (unknown.length > 0) throw InvalidInput.fields(unknown);
    await attachPages(tx, { assignmentId: assignment.id, pageIds, memberId: actor.memberId });
    if ((await countPagesOfAssignment(tx, assignment.id)) > maxPagesOfAssignment) {
      throw new Conflict('too_many_pages', `An assignment has at most ${maxPagesOfAssignment} pages.`);
    }
    return viewAssignment(tx, actor, assignment, clock.now());
  });
}

/** @throws NotFound, Forbidden */
export async function detachPageFromAssignment(
  { db, actor }: CommandContext,
  assignmentId: number,
  pageId: number,
): Promise<void> {
  await db.inWorkspace(actor.workspaceId, async (tx) => {
    const assignment = await writableAssignment(tx, actor, assignmentId);
    if (!(await detachPage(tx, assignment.id, pageId))) throw new NotFound('Page');
  });
}
