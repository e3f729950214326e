import { describe, expect, it } from 'vitest';
import { insertFollowUp, selectPendingFollowUps } from '../../../db/conversations/follow-ups.js';
import { subjectsWaiting } from '../../../db/outbox.js';
import { cancelAssignment } from '../../../domain/assignments/cancel-assignment.js';
import { updateAssignment } from '../../../domain/assignments/update-assignment.js';
import { advanceChat } from '../../../domain/conversations/chats/advance-chat.js';
import { type StagedAssignment, stageAssignment } from '../../support/chats/staged-assignment.js';
import { conversationTasks } from '../../support/workspace/definitions.js';
import { useWorkspace } from '../../support/workspace/use-workspace.js';
import { reply, Turn } from '../agent/take-round.js';

const suite = useWorkspace();
const stage = () => stageAssignment(suite.workspace, conversationTasks());
const inWorkspace = <T>(work: Parameters<typeof suite.workspace.database.inWorkspace<T>>[1]) =>
  suite.workspace.database.inWorkspace(suite.workspace.workspaceId, work);

const runOfChatIsPoked = async (staged: StagedAssignment) => {
  const { uuid } = await staged.chat();
  return inWorkspace(async (tx) => (await subjectsWaiting(tx, 'answerChat', [uuid])).has(uuid));
};

const update = (status: 'completed' | 'failed') => ({
  command: `updateAssignment to ${status}`,
  status,
  end: ({ assignmentId }: StagedAssignment) =>
    updateAssignment(suite.workspace.context(), assignmentId, { status }),
});
const cancel = {
  command: 'cancelAssignment',
  status: 'cancelled',
  end: ({ context, workspaceId, assignmentId }: StagedAssignment) =>
    cancelAssignment(context, { workspaceId, assignmentId }),
};

describe.each([update('completed'), update('failed'), cancel])('$command', ({ status, end }) => {
  it('supersedes the turn in progress and cancels follow-ups', async () => {
    const staged = await stage();
    const { chatId } = staged;
    const followUp = { chatId, instructions: 'Ask again', dueAt: new Date(), scheduledByMemberId: null };
    await inWorkspace((tx) => insertFollowUp(tx, followUp));
    const before = await staged.chat();

    expect(await end(staged)).toMatchObject({ status });

    expect((await staged.chat()).version).toBeGreaterThan(before.version);
    expect(await inWorkspace((tx) => selectPendingFollowUps(tx, chatId))).toEqual([]);
    expect(await staged.advance()).toMatchObject({ kind: 'concluded', status });
  });

  it('leaves no turn owed when the member has not written', async () => {
    const staged = await stage();

    await end(staged);

    const chat = await staged.chat();
    expect(chat.handledVersion).toBe(chat.version);
    expect(await runOfChatIsPoked(staged)).toBe(false);
    expect(await advanceChat(staged.context, staged)).toEqual({ kind: 'idle' });
  });

  it('leaves an unanswered message of the member to the run of the chat', async () => {
    const staged = await stage();
    await new Turn(staged).take(reply('How are you?'));
    await staged.memberWrites('Not well');

    await end(staged);

    const chat = await staged.chat();
    expect(chat.handledVersion).toBeLessThan(chat.version);
    expect(await runOfChatIsPoked(staged)).toBe(true);
    expect(await advanceChat(staged.context, staged)).toMatchObject({ kind: 'turn' });
  });
});

it('cancelAssignment changes nothing when it is repeated', async () => {
  const staged = await stage();
  await cancel.end(staged);
  const first = await staged.assignment();
  staged.clock.advance(1_000);

  expect(await cancel.end(staged)).toEqual({ status: 'cancelled' });

  expect(await staged.assignment()).toEqual(first);
});
