import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { presentChat } from '../../../../api/resources/conversations/chats/presenter.js';
import { updateChat } from '../../../../db/conversations/chats.js';
import { getChat } from '../../../../domain/conversations/chats/get-chat.js';
import { listChatsToAnswer } from '../../../../domain/conversations/chats/list-chats.js';
import type { RevisionTask } from '../../../../domain/definitions/revision-rules/types.js';
import { callPerson, observePersonCalls, type PersonCalled } from '../../../../domain/kernel/call-person.js';
import { stageAssignment } from '../../../support/chats/staged-assignment.js';
import { useWorkspace } from '../../../support/workspace/use-workspace.js';

const suite = useWorkspace();
const root: RevisionTask = {
  name: 'Ask',
  taskType: 'conversation',
  abilities: [{ abilityType: 'conclude' }],
};
const stage = () => stageAssignment(suite.workspace, root);

describe('needsResponseReason of a chat', () => {
  it('is shown by every read of the chat until the chat is answered', async () => {
    const staged = await stage();
    const { workspaceId, chatId } = staged;
    const context = suite.workspace.context();
    await suite.workspace.database.inWorkspace(workspaceId, (tx) =>
      callPerson(tx, { id: chatId }, 'delivery_failed'),
    );

    expect(presentChat(await getChat(context, chatId))).toMatchObject({
      needsResponse: true,
      needsResponseReason: 'delivery_failed',
    });
    const page = { page: 1, pageSize: 100, sortBy: 'createdAt', sortOrder: 'asc' } as const;
    const listed = (await listChatsToAnswer(context, page)).items.find(({ id }) => id === chatId);
    expect(listed && presentChat(listed)).toMatchObject({ needsResponseReason: 'delivery_failed' });

    await staged.operatorWrites('I will see to it');
    expect(presentChat(await getChat(context, chatId))).not.toHaveProperty('needsResponseReason');
  });

  it('is not shown when it is missing, stale or unknown to this release', async () => {
    const staged = await stage();
    const { workspaceId, chatId } = staged;
    const write = (changes: Parameters<typeof updateChat>[2]) =>
      suite.workspace.database.inWorkspace(workspaceId, (tx) => updateChat(tx, chatId, changes));
    const shown = async () => presentChat(await getChat(suite.workspace.context(), chatId));

    await write({ needsResponse: true });
    expect(await shown()).toMatchObject({ needsResponse: true });
    expect(await shown()).not.toHaveProperty('needsResponseReason');
    await write({ needsResponse: false, needsResponseReason: 'handoff' });
    expect(await shown()).not.toHaveProperty('needsResponseReason');
    await write({ needsResponse: true, needsResponseReason: 'of_a_later_release' });
    expect(await shown()).not.toHaveProperty('needsResponseReason');
  });

  it('is reported to observers with ids and a code only', async () => {
    const { workspaceId, chatId } = await stage();
    const told: PersonCalled[] = [];
    const end = observePersonCalls((called) => told.push(called));
    try {
      await suite.workspace.database.inWorkspace(workspaceId, (tx) =>
        callPerson(tx, { id: chatId }, 'turn_failed'),
      );
    } finally {
      end();
    }

    expect(told).toEqual([{ workspaceId, chatId, reason: 'turn_failed' }]);
  });

  it('is set through one function only', () => {
    const setting = sourceFiles('domain').filter((file) =>
      /needsResponse: true/.test(readFileSync(file, 'utf8')),
    );

    expect(setting).toEqual([
      join('domain', 'conversations', 'chats', 'list-chats.ts'),
      join('domain', 'kernel', 'call-person.ts'),
    ]);
  });
});

function sourceFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name))
    .sort();
}
