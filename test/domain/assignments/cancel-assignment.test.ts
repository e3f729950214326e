import { describe, expect, it } from 'vitest';
import { cancelAssignment } from '../../../domain/assignments/cancel-assignment.js';
import { advanceChat } from '../../../domain/conversations/chats/advance-chat.js';
import { type StagedAssignment, stageAssignment } from '../../support/chats/staged-assignment.js';
import { conversationTasks } from '../../support/workspace/definitions.js';
import { useWorkspace } from '../../support/workspace/use-workspace.js';
import { reply, Turn } from '../agent/take-round.js';

const suite = useWorkspace();
const stage = () => stageAssignment(suite.workspace, conversationTasks());
const cancel = ({ context, workspaceId, assignmentId }: StagedAssignment) =>
  cancelAssignment(context, { workspaceId, assignmentId });

describe('cancelAssignment', () => {
  it('leaves an unanswered message of the member to the run of the chat', async () => {
    const staged = await stage();
    await new Turn(staged).take(reply('How are you?'));
    await staged.memberWrites('Not well');

    expect(await cancel(staged)).toEqual({ status: 'cancelled' });

    expect(await advanceChat(staged.context, staged)).toMatchObject({ kind: 'turn' });
  });

  it('leaves no turn owed when the member has not written', async () => {
    const staged = await stage();

    await cancel(staged);

    expect(await advanceChat(staged.context, staged)).toEqual({ kind: 'idle' });
    expect(await staged.advance()).toEqual({ kind: 'concluded', status: 'cancelled' });
  });

  it('changes nothing when it is repeated', async () => {
    const staged = await stage();
    await cancel(staged);
    const before = await staged.assignment();

    expect(await cancel(staged)).toEqual({ status: 'cancelled' });

    expect(await staged.assignment()).toEqual(before);
  });
});
