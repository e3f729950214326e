import { describe, expect, it } from 'vitest';
import { cancelAssignment } from '../../../../domain/assignments/cancel-assignment.js';
import {
  pageOfWaitingChats,
  type WaitingChat,
  type WaitingList,
} from '../../../../domain/conversations/chats/mend-chats.js';
import { walkThrough } from '../../../support/api/walk-through.js';
import { stageAssignment } from '../../../support/chats/staged-assignment.js';
import { emptyOutbox } from '../../../support/db/empty-outbox.js';
import { conversationTasks } from '../../../support/workspace/definitions.js';
import { useWorkspace } from '../../../support/workspace/use-workspace.js';
import { reply, Turn } from '../../agent/take-round.js';

const { database: testDatabase, workspace } = useWorkspace();

function waiting(list: WaitingList): Promise<WaitingChat[]> {
  const context = { ...workspace.context(), db: workspace.database };
  return walkThrough<WaitingChat, number>((after) =>
    pageOfWaitingChats(context, workspace.workspaceId, list, after),
  );
}

describe('pageOfWaitingChats', () => {
  it('lists chats with an unsent message once the relay has emptied the outbox', async () => {
    const staged = await stageAssignment(workspace, conversationTasks(), { channel: 'phone-sms' });
    await new Turn(staged).take(reply('Hello'));
    expect(await waiting('deliveries')).toEqual([]);

    await emptyOutbox(testDatabase);

    const { chatId } = staged;
    expect(await waiting('deliveries')).toMatchObject([{ chatId, waitsFor: 'deliverMessages' }]);
  });

  it('lists chats that owe an answer outside of an active assignment', async () => {
    const staged = await stageAssignment(workspace, conversationTasks());
    await new Turn(staged).take(reply('How are you?'));
    await staged.memberWrites('Not well');
    const ofChat = async () => (await waiting('answers')).filter(({ chatId }) => chatId === staged.chatId);
    await emptyOutbox(testDatabase);
    expect(await ofChat()).toEqual([]);

    await cancelAssignment(staged.context, staged);
    expect(await ofChat()).toEqual([]);
    await emptyOutbox(testDatabase);

    expect(await ofChat()).toMatchObject([{ waitsFor: 'answerChat' }]);
  });
});
