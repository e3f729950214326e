import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { compileSerialiser } from '../../../../api/http/serialise.js';
import { presentChat } from '../../../../api/resources/conversations/chats/presenter.js';
import { ChatResponse } from '../../../../api/resources/conversations/chats/schemas.js';
import { type ChatChanges, patchChat } from '../../../../db/conversations/chats.js';
import { getChat } from '../../../../domain/conversations/chats/get-chat.js';
import { listWaitingChats } from '../../../../domain/conversations/chats/list-waiting-chats.js';
import { type Alert, alertColleague, observeAlerts } from '../../../../domain/kernel/alert-colleague.js';
import { stageAssignment } from '../../../support/chats/staged-assignment.js';
import { conversationTasks } from '../../../support/workspace/definitions.js';
import { useWorkspace } from '../../../support/workspace/use-workspace.js';

const { workspace } = useWorkspace();
const stage = () => stageAssignment(workspace, conversationTasks());
const serialise = compileSerialiser(ChatResponse);
const shown = async (chatId: number) =>
  JSON.parse(serialise(presentChat(await getChat(workspace.context(), chatId))));

describe('needsResponseReason of a chat', () => {
  it('is shown by every read of the chat until the chat is answered', async () => {
    const staged = await stage();
    const { chatId } = staged;
    await workspace.within((tx) => alertColleague(tx, { id: chatId }, 'delivery_failed'));

    const called = { needsResponse: true, needsResponseReason: 'delivery_failed' };
    expect(await shown(chatId)).toMatchObject(called);
    const page = { page: 1, pageSize: 100, sortBy: 'createdAt', sortOrder: 'asc' } as const;
    const listed = (await listWaitingChats(workspace.context(), page)).items.find(({ id }) => id === chatId);
    expect(listed && presentChat(listed)).toMatchObject(called);

    await staged.operatorWrites('I will see to it');
    expect(await shown(chatId)).not.toHaveProperty('needsResponseReason');
  });

  it('is not shown when it is missing, stale or unknown to this release', async () => {
    const { chatId } = await stage();
    const write = (changes: ChatChanges) => workspace.within((tx) => patchChat(tx, chatId, changes));

    await write({ needsResponse: true });
    expect(await shown(chatId)).toMatchObject({ needsResponse: true });
    expect(await shown(chatId)).not.toHaveProperty('needsResponseReason');
    await write({ needsResponse: false, needsResponseReason: 'handoff' });
    expect(await shown(chatId)).not.toHaveProperty('needsResponseReason');
    await write({ needsResponse: true, needsResponseReason: 'of_a_later_release' });
    expect(await shown(chatId)).not.toHaveProperty('needsResponseReason');
  });

  it('is reported to observers with ids and a code only', async () => {
    const { workspaceId, chatId } = await stage();
    const told: Alert[] = [];
    const end = observeAlerts((called) => told.push(called));
    try {
      await workspace.within((tx) => alertColleague(tx, { id: chatId }, 'turn_failed'));
    } finally {
      end();
    }

    expect(told).toEqual([{ workspaceId, chatId, reason: 'turn_failed' }]);
  });

  it('is set through one function only', () => {
    const files = readdirSync('domain', { recursive: true, encoding: 'utf8' });
    const setting = files
      .filter((file) => file.endsWith('.ts'))
      .filter((file) => /needsResponse: true/.test(readFileSync(join('domain', file), 'utf8')));

    expect(setting).toEqual([join('kernel', 'alert-colleague.ts')]);
  });
});
