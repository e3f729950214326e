import { findAssistantForChat } from '../../db/conversations/assistants.js';
import { supersedeSmsChat } from '../channels/sms/sms-thread.js';
import { requireUsableDefinition } from '../definitions/workflow-definitions/require-definition.js';
import { resolveRevision } from '../definitions/workflow-revisions/resolve-revision.js';
import type { CommandContext } from '../kernel/context.js';
import { requirePerson } from '../kernel/require-person.js';
import { settleInOrder } from '../lib/settle-in-order.js';
import { type AssignmentView, viewAssignment } from './assignment-view.js';
import { beginAssignment, prepareAssignment } from './begin-assignment.js';
import { requireRoomToBegin } from './begin-bounds.js';

/** `memberId` defaults to the caller. The chat uses SMS if the workflow has a number, and the member accepts SMS. */
export async function createAssignment(
  context: CommandContext,
  input: { workflowId: number; workflowRevisionId?: number; memberId?: number; isTest?: boolean },
): Promise<AssignmentView> {
  const { actor } = context;
  const now = context.clock.now();
  const memberId = input.memberId ?? actor.memberId;
  actor.requireSelfOr(memberId, 'assignments:write');
  // Guards may let test assignments pass, so the flag needs the permission.
  if (input.isTest === true) actor.require('assignments:write');

  return context.db.inWorkspace(actor.workspaceId, async (tx) => {
    const toBegin = { permission: 'assignments:write', definitionId: input.workflowId } as const;
    await requireRoomToBegin(tx, actor, toBegin, now);
    const [definition, member, assistant, prepared] = await settleInOrder(
      requireUsableDefinition(tx, actor, input.workflowId),
      requirePerson(tx, memberId),
      findAssistantForChat(tx, { definitionId: input.workflowId }),
      prepareAssignment(tx, input),
    );
    const pinnedId = input.workflowRevisionId;
    const revisionId = await resolveRevision(tx, actor, definition, pinnedId, 'assignments:write');
    const phoneNumberId = member.phone !== null && member.notifySms ? definition.defaultPhoneNumberId : null;

    const newChat = {
      channel: phoneNumberId === null ? 'web-chat' : 'phone-sms',
      chatType: 'workflow',
      memberId,
      createdByMemberId: actor.memberId,
      assistantMemberId: assistant?.memberId ?? null,
      revisionId,
      phoneNumberId,
      isTest: input.isTest ?? false,
    } as const;
    if (phoneNumberId !== null) await supersedeSmsChat(tx, member, phoneNumberId);
    const { machine } = await beginAssignment(
      tx,
      { prepared, chat: newChat, definition },
      { ...context, now },
    );
    return viewAssignment(tx, actor, machine.assignment, now);
  });
}
