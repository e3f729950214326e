import { describe, expect, it } from 'vitest';
import { insertFollowUp, listPendingFollowUps } from '../../../db/conversations/follow-ups.js';
import { subjectsWaiting } from '../../../db/outbox.js';
import { cancelAssignment } from '../../../domain/assignments/cancel-assignment.js';
import { updateAssignment } from '../../../domain/assignments/update-assignment.js';
import { type StagedAssignment, stageAssignment } from '../../support/chats/staged-assignment.js';
import { conversationTasks } from '../../support/workspace/definitions.js';
import { useWorkspace } from '../../support/workspace/use-workspace.js';

const suite = useWorkspace();
const stage = () => stageAssignment(suite.workspace, conversationTasks());
const asAdmin = () => suite.workspace.context();
const inWorkspace = <T>(work: Parameters<typeof suite.workspace.database.inWorkspace<T>>[1]) =>
  suite.workspace.database.inWorkspace(suite.workspace.workspaceId, work);

const followUp = (staged: StagedAssignment) =>
  inWorkspace((tx) =>
    insertFollowUp(tx, {
      chatId: staged.chatId,
      instructions: 'Ask again',
      dueAt: staged.clock.now(),
      scheduledByMemberId: null,
    }),
  );
const pending = (staged: StagedAssignment) => inWorkspace((tx) => listPendingFollowUps(tx, staged.chatId));
const runOfChatIsPoked = async (staged: StagedAssignment) => {
  const { uuid } = await staged.chat();
  return inWorkspace(async (tx) => (await subjectsWaiting(tx, 'answerChat', [uuid])).has(uuid));
};

describe('updateAssignment', () => {
  it('supersedes the turn in progress and cancels follow-ups', async () => {
    const staged = await stage();
    await followUp(staged);
    const before = await staged.chat();

    await updateAssignment(asAdmin(), staged.assignmentId, { status: 'completed' });

    const chat = await staged.chat();
    expect(chat.version).toBeGreaterThan(before.version);
    expect(await pending(staged)).toEqual([]);
    expect(await staged.advance()).toEqual({ kind: 'concluded', status: 'completed' });
  });

  it('leaves no turn owed when the member has not written', async () => {
    const staged = await stage();

    await updateAssignment(asAdmin(), staged.assignmentId, { status: 'failed' });

    const chat = await staged.chat();
    expect(chat.handledVersion).toBe(chat.version);
    expect(await runOfChatIsPoked(staged)).toBe(false);
  });

  it('leaves an unanswered message of the member to the run of the chat', async () => {
    const staged = await stage();
    await staged.memberWrites('One more thing');

    await updateAssignment(asAdmin(), staged.assignmentId, { status: 'completed' });

    const chat = await staged.chat();
    expect(chat.handledVersion).toBeLessThan(chat.version);
    expect(await runOfChatIsPoked(staged)).toBe(true);
  });
});

describe('cancelAssignment', () => {
  it('cancels the assignment once, and changes nothing when it is repeated', async () => {
    const staged = await stage();
    const ref = { workspaceId: staged.workspaceId, assignmentId: staged.assignmentId };
    await followUp(staged);

    expect(await cancelAssignment(staged.context, ref)).toEqual({ status: 'cancelled' });
    const first = await staged.assignment();
    staged.clock.advance(1_000);
    expect(await cancelAssignment(staged.context, ref)).toEqual({ status: 'cancelled' });

    expect(await staged.assignment()).toEqual(first);
    expect(await pending(staged)).toEqual([]);
    expect(await staged.advance()).toEqual({ kind: 'concluded', status: 'cancelled' });
  });
});
