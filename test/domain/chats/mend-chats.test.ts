import { describe, expect, it } from 'vitest';
import { cancelAssignment } from '../../../domain/assignments/cancel-assignment.js';
import { listWaitingChats, type WaitingChat } from '../../../domain/chats/mend-chats.js';
import { conversationTasks } from '../../support/definitions.js';
import { stageAssignment } from '../../support/staged-assignment.js';
import { useWorkspace } from '../../support/use-workspace.js';
import { reply, Turn } from '../agent/take-round.js';

const suite = useWorkspace();

async function waiting(): Promise<WaitingChat[]> {
  const { database, workspaceId } = suite.workspace;
  const found: WaitingChat[] = [];
  const context = suite.workspace.context();
  for await (const chat of listWaitingChats({ ...context, db: database }, workspaceId)) found.push(chat);
  return found;
}

describe('chats that should have a run', () => {
  it('are those with something unsent', async () => {
    const staged = await stageAssignment(suite.workspace, conversationTasks(), { channel: 'phone-sms' });
    expect(await waiting()).toEqual([]);

    await new Turn(staged).take(reply('Hello'));

    expect(await waiting()).toMatchObject([
      { chatId: staged.chatId, waitsFor: 'deliverMessages', late: false },
    ]);
  });

  it('and those that owe an answer which no assignment sees to', async () => {
    const staged = await stageAssignment(suite.workspace, conversationTasks());
    await new Turn(staged).take(reply('How are you?'));
    await staged.memberWrites('Not well');
    const ofChat = async () => (await waiting()).filter(({ chatId }) => chatId === staged.chatId);
    expect(await ofChat()).toEqual([]);

    await cancelAssignment(staged.context, staged);

    expect(await ofChat()).toMatchObject([{ waitsFor: 'answerChat' }]);
  });
});
