import { describe, expect, it } from 'vitest';
import { cancelAssignment } from '../../../../domain/assignments/cancel-assignment.js';
import { waitingChats } from '../../../../domain/conversations/chats/repair-chats.js';
import type { RowOfRun } from '../../../../domain/kernel/reconcile-rows.js';
import { walkThrough } from '../../../support/api/walk-through.js';
import { stageAssignment } from '../../../support/chats/staged-assignment.js';
import { emptyOutbox } from '../../../support/db/empty-outbox.js';
import { conversationTasks } from '../../../support/workspace/definitions.js';
import { useWorkspace } from '../../../support/workspace/use-workspace.js';
import { reply, Turn } from '../../agent/take-round.js';

const { database: testDatabase, workspace } = useWorkspace();

function waiting(list: keyof typeof waitingChats): Promise<RowOfRun[]> {
  const context = { ...workspace.context(), db: workspace.database };
  return walkThrough<RowOfRun, number>((after) =>
    waitingChats[list].page(context, workspace.workspaceId, after),
  );
}

describe('waitingChats', () => {
  it('lists chats with an unsent message once the relay has emptied the outbox', async () => {
    const staged = await stageAssignment(workspace, conversationTasks(), { channel: 'phone-sms' });
    await new Turn(staged).take(reply('Hello'));
    expect(await waiting('deliveries')).toEqual([]);

    await emptyOutbox(testDatabase);

    expect(await waiting('deliveries')).toMatchObject([{ id: staged.chatId }]);
    expect(waitingChats.deliveries.runType).toBe('deliverMessages');
  });

  it('lists chats that owe an answer outside of an active assignment', async () => {
    const staged = await stageAssignment(workspace, conversationTasks());
    await new Turn(staged).take(reply('How are you?'));
    await staged.memberWrites('Not well');
    const ofChat = async () => (await waiting('answers')).filter(({ id }) => id === staged.chatId);
    await emptyOutbox(testDatabase);
    expect(await ofChat()).toEqual([]);

    await cancelAssignment(staged.context, staged);
    expect(await ofChat()).toEqual([]);
    await emptyOutbox(testDatabase);

    expect(await ofChat()).toHaveLength(1);
    expect(waitingChats.answers.runType).toBe('answerChat');
  });
});
