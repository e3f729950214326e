import { describe, expect, it } from 'vitest';
import { subjectsWaiting } from '../../../../db/outbox.js';
import { createAssistant } from '../../../../domain/conversations/assistants/create-assistant.js';
import { advanceChat } from '../../../../domain/conversations/chats/advance-chat.js';
import { createChat } from '../../../../domain/conversations/chats/create-chat.js';
import { postMessage } from '../../../../domain/conversations/chats/post-message.js';
import { sendAssistantMessage } from '../../../../domain/conversations/chats/send-assistant-message.js';
import { type UpdateChat, updateChat } from '../../../../domain/conversations/chats/update-chat.js';
import { stageFreeChat } from '../../../support/chats/free-chat.js';
import { useWorkspace } from '../../../support/workspace/use-workspace.js';

const suite = useWorkspace();

const newChat = async (options = {}) => {
  const { workspace } = suite;
  const member = workspace.context(workspace.member);
  const { id: chatId, uuid } = await createChat(member, { channel: 'web-chat', ...options });
  const { workspaceId } = workspace;
  return {
    chatId,
    say: (content: string) => postMessage(member, { chatId, content }),
    update: (changes: UpdateChat) => updateChat(workspace.context(), chatId, changes),
    next: () => advanceChat(member, { workspaceId, chatId }),
    isPoked: () =>
      workspace.database.inWorkspace(workspaceId, async (tx) =>
        (await subjectsWaiting(tx, 'answerChat', [uuid])).has(uuid),
      ),
  };
};

const silencing: [string, UpdateChat, UpdateChat][] = [
  ['pausing', { paused: true }, { paused: false }],
  ['archiving', { archived: true }, { archived: false }],
  ['disabling the assistant', { assistantEnabled: false }, { assistantEnabled: true }],
];

describe.each(silencing)('updateChat for %s', (_what, silence, giveBack) => {
  it('keeps the agent from answering until it is undone', async () => {
    const chat = await newChat();
    await chat.say('Hello?');
    expect(await chat.next()).toMatchObject({ kind: 'turn' });

    await chat.update(silence);
    expect(await chat.next()).toEqual({ kind: 'idle' });

    await chat.update(giveBack);
    expect(await chat.next()).toMatchObject({ kind: 'turn' });
    expect(await chat.isPoked()).toBe(true);
  });

  it('raises the version to supersede a turn in progress, and owes no new turn', async () => {
    const chat = await newChat();
    const before = await chat.update({});

    const after = await chat.update(silence);

    expect(after.version).toBeGreaterThan(before.version);
    expect(after.handledVersion).toBe(after.version);
    await chat.update(giveBack);
    expect(await chat.next()).toEqual({ kind: 'idle' });
  });

  it('changes nothing when it is repeated', async () => {
    const chat = await newChat();
    const once = await chat.update(silence);

    const twice = await chat.update(silence);

    expect({ ...twice, updatedAt: null }).toEqual({ ...once, updatedAt: null });
  });
});

describe('pausing a chat', () => {
  it('calls a person while the member waits for an answer, and clears the call on resume', async () => {
    const chat = await newChat();
    await chat.say('Hello?');

    expect(await chat.update({ paused: true })).toMatchObject({
      needsResponse: true,
      needsResponseReason: 'agent_silent',
    });
    expect(await chat.update({ paused: false })).toMatchObject({
      needsResponse: false,
      needsResponseReason: null,
    });
  });

  it('calls no person when the member waits for nothing', async () => {
    expect(await (await newChat()).update({ paused: true })).toMatchObject({ needsResponse: false });
  });
});

it('updateChat lets the agent answer messages of a pause once the chat is resumed', async () => {
  const chat = await newChat();
  await chat.update({ paused: true });
  await chat.say('Hello?');
  expect(await chat.next()).toEqual({ kind: 'idle' });

  await chat.update({ paused: false });

  expect(await chat.next()).toMatchObject({ kind: 'turn' });
});

it('updateChat does not let the agent answer again what a colleague answered during the pause', async () => {
  const chat = await newChat();
  await chat.say('Hello?');
  const answer = { chatId: chat.chatId, message: 'I am with you', toolCalls: [] };
  await sendAssistantMessage(suite.workspace.context(), answer);

  await chat.update({ paused: false });

  expect(await chat.next()).toEqual({ kind: 'idle' });
});

it('updateChat adds the assistant as a participant when it enables the assistant', async () => {
  const assistant = await createAssistant(suite.workspace.context(), {
    name: 'Helper',
    instructions: 'Be kind.',
    isDefault: true,
  });
  const chat = await newChat({ assistantEnabled: false });
  expect((await chat.update({})).participants).toHaveLength(1);

  const enabled = await chat.update({ assistantEnabled: true });

  expect(enabled.participants).toMatchObject([
    { role: 'user' },
    { role: 'assistant', memberId: assistant.memberId },
  ]);
});

describe('a pause by a takeover or a handoff', () => {
  it.each(['operator_reply', 'handoff'])('cannot be undone by the member: %s', async (pausedReason) => {
    const chat = await stageFreeChat(suite.workspace);
    await chat.update({ paused: true, pausedReason });

    await expect(updateChat(chat.context, chat.chatId, { paused: false })).rejects.toThrow('chats:write');

    expect((await chat.chat()).paused).toBe(true);
    await chat.update({ paused: false });
    expect((await chat.chat()).paused).toBe(false);
  });
});
