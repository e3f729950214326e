import { describe, expect, it } from 'vitest';
import type { MessageRow } from '../../../../db/conversations/messages.js';
import { subjectsWaiting } from '../../../../db/outbox.js';
import { createAssistant } from '../../../../domain/conversations/assistants/create-assistant.js';
import { advanceChat } from '../../../../domain/conversations/chats/advance-chat.js';
import { createChat } from '../../../../domain/conversations/chats/create-chat.js';
import { postMessage } from '../../../../domain/conversations/chats/post-message.js';
import { sendAssistantMessage } from '../../../../domain/conversations/chats/send-assistant-message.js';
import { type UpdateChat, updateChat } from '../../../../domain/conversations/chats/update-chat.js';
import type { RevisionTask } from '../../../../domain/definitions/revision-rules/types.js';
import { type StagedAssignment, stageAssignment } from '../../../support/chats/staged-assignment.js';
import { minutes } from '../../../support/lib/moved-clock.js';
import { conversationTasks } from '../../../support/workspace/definitions.js';
import { useWorkspace } from '../../../support/workspace/use-workspace.js';
import { reply, Turn } from '../../agent/take-round.js';

const { workspace } = useWorkspace();

const silencing: [string, UpdateChat, UpdateChat][] = [
  ['pausing', { paused: true }, { paused: false }],
  ['archiving', { archived: true }, { archived: false }],
  ['disabling the assistant', { assistantEnabled: false }, { assistantEnabled: true }],
];

const stage = (tasks: RevisionTask = conversationTasks()) => stageAssignment(workspace, tasks);
/** An assignment whose agent has said the first words. */
async function greeted(): Promise<StagedAssignment> {
  const staged = await stage();
  await new Turn(staged).take(reply('How are you?'));
  return staged;
}
const change = (staged: StagedAssignment, changes: UpdateChat) =>
  updateChat(workspace.context(workspace.admin, staged.clock), staged.chatId, changes);
const said = (messages: MessageRow[]) =>
  messages
    .filter(({ role, content }) => role === 'assistant' && content !== null)
    .map(({ content }) => content);

/** The member has asked a question, and the call of the model is under way. */
async function asked() {
  const staged = await greeted();
  await staged.memberWrites('Not well');
  const turn = new Turn(staged);
  return { staged, turn, question: await turn.ask() };
}

describe.each(silencing)('updateChat for %s and the reply of a turn', (_what, silence, giveBack) => {
  it('drops a reply that comes after the change, and has the message answered once when it is undone', async () => {
    const { staged, turn, question } = await asked();

    await change(staged, silence);
    expect(await turn.record(question, reply('Too late'))).toEqual({ kind: 'nothing_to_say' });
    expect(await staged.advance()).toMatchObject({ kind: 'wait' });

    await change(staged, giveBack);
    expect(await staged.advance()).toMatchObject({ kind: 'turn' });
    await new Turn(staged).take(reply('I am sorry'));
    expect(await staged.advance()).toMatchObject({ kind: 'wait' });
    expect(said(await staged.messages())).toEqual(['How are you?', 'I am sorry']);
  });

  it('keeps a reply that came before the change, and has nothing answered twice', async () => {
    const { staged, turn, question } = await asked();

    await turn.record(question, reply('I am sorry'));
    const changed = await change(staged, silence);
    expect(changed.needsResponse).toBe(false);
    await change(staged, giveBack);

    expect(await staged.advance()).toMatchObject({ kind: 'wait' });
    expect(said(await staged.messages())).toEqual(['How are you?', 'I am sorry']);
  });

  it('drops a reply that was requested before a change that is already undone', async () => {
    const { staged, turn, question } = await asked();

    await change(staged, silence);
    await change(staged, giveBack);

    expect(await turn.record(question, reply('Of before'))).toEqual({ kind: 'interrupted' });
    await turn.take(reply('Of now'));
    expect(said(await staged.messages())).toEqual(['How are you?', 'Of now']);
    expect(await staged.advance()).toMatchObject({ kind: 'wait' });
  });

  it('has the message answered exactly once when fifty changes race with the reply', async () => {
    const { staged, turn, question } = await asked();

    const [result] = await Promise.all([
      turn.record(question, reply('From the race')),
      ...Array.from({ length: 50 }, (_, index) => change(staged, index % 2 === 0 ? silence : giveBack)),
    ]);
    await change(staged, giveBack);
    const next = await staged.advance();
    if (next.kind === 'turn') await new Turn(staged).take(reply('Afterwards'));

    const [step, words] = result.kind === 'replied' ? ['wait', 'From the race'] : ['turn', 'Afterwards'];
    expect(next.kind).toBe(step);
    expect(said(await staged.messages()).slice(1)).toEqual([words]);
    expect(await staged.advance()).toMatchObject({ kind: 'wait' });
  });
});

describe('an archived chat', () => {
  it('is reopened by a message of the member, which the agent answers', async () => {
    const staged = await greeted();

    await change(staged, { archived: true });
    await staged.memberWrites('Fine');

    expect(await staged.chat()).toMatchObject({ archived: false, needsResponse: false });
    expect(await staged.advance()).toMatchObject({ kind: 'turn' });
  });

  it('keeps an earlier message unanswered until it is reopened', async () => {
    const staged = await greeted();

    await staged.memberWrites('Fine');
    await change(staged, { archived: true });
    expect(await staged.chat()).toMatchObject({ archived: true, needsResponse: false });
    expect(await staged.advance()).toMatchObject({ kind: 'wait' });

    await change(staged, { archived: false });
    expect(await staged.advance()).toMatchObject({ kind: 'turn' });
  });

  it('alerts a colleague on a message when it is paused as well', async () => {
    const staged = await stage();
    await change(staged, { paused: true, archived: true });

    await staged.memberWrites('Anybody?');

    expect(await staged.chat()).toMatchObject({ archived: false, paused: true, needsResponse: true });
  });
});

const thenDone = (first: RevisionTask): RevisionTask => ({
  ...first,
  autoNext: true,
  children: [
    {
      name: 'Remind',
      taskType: 'message',
      configuration: { text: 'It is time.' },
      abilities: [{ abilityType: 'handoff' }],
    },
  ],
});
const waiting = thenDone({ name: 'Wait', taskType: 'wait', configuration: { for: 'PT10M' } });

describe('an assignment in an archived or paused chat', () => {
  it('rests while the chat is archived, and does what has become due once it is reopened', async () => {
    const staged = await stage(waiting);
    expect(await staged.advance()).toMatchObject({ kind: 'wait', until: expect.any(Number) });

    await change(staged, { archived: true });
    staged.clock.advance(minutes(20));

    const state = 'archived, rests until the chat is opened again';
    expect(await staged.advance()).toEqual({
      kind: 'wait',
      taskName: 'Wait',
      walk: expect.any(Array),
      state,
    });
    expect(said(await staged.messages())).toEqual([]);
    await change(staged, { archived: false });
    await staged.advance();
    expect(said(await staged.messages())).toEqual(['It is time.']);
  });

  it('advances while the chat is paused: only the agent is silent', async () => {
    const staged = await stage(waiting);
    await change(staged, { paused: true });
    staged.clock.advance(minutes(20));

    await staged.advance();

    expect(said(await staged.messages())).toEqual(['It is time.']);
  });

  it('continues after a handoff once the chat is resumed and reopened', async () => {
    const staged = await stage(thenDone({ name: 'Hand over', taskType: 'handoff', configuration: {} }));
    await change(staged, { archived: true });
    await change(staged, { paused: false });
    await staged.advance();
    expect(said(await staged.messages())).toEqual([]);

    await change(staged, { archived: false });
    await staged.advance();

    expect(said(await staged.messages())).toEqual(['It is time.']);
  });
});

describe('needsResponse of a chat', () => {
  it('survives archiving when the agent has nothing to answer, and is cleared when a person resumes the chat', async () => {
    const staged = await stage();
    await new Turn(staged).take(reply(''));
    expect(await staged.chat()).toMatchObject({ needsResponse: true });

    await change(staged, { archived: true });
    expect((await change(staged, { archived: false })).needsResponse).toBe(true);
    await change(staged, { paused: true });
    expect((await change(staged, { paused: false })).needsResponse).toBe(false);
  });
});

it('updateChat leaves version, run and flags unchanged when a chat is muted, named or labelled', async () => {
  await createAssistant(workspace.context(), { name: 'Helper', instructions: '' });
  const { staged, turn, question } = await asked();
  const before = await staged.chat();

  await change(staged, { muted: true, title: 'Named', labelIds: [] });

  expect(await staged.chat()).toMatchObject({ version: before.version, needsResponse: before.needsResponse });
  expect(await turn.record(question, reply('I am sorry'))).toEqual({ kind: 'replied' });
});

const newChat = async (options = {}) => {
  const member = workspace.context(workspace.member);
  const { id: chatId, uuid } = await createChat(member, { channel: 'web-chat', ...options });
  const { workspaceId, database } = workspace;
  return {
    chatId,
    say: (content: string) => postMessage(member, { chatId, content }),
    update: (changes: UpdateChat) => updateChat(workspace.context(), chatId, changes),
    next: () => advanceChat(member, { workspaceId, chatId }),
    isPoked: () =>
      database.inWorkspace(workspaceId, async (tx) =>
        (await subjectsWaiting(tx, 'answerChat', [uuid])).has(uuid),
      ),
  };
};

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
  it('alerts a colleague while the member waits for an answer, and clears the alert on resume', async () => {
    const chat = await newChat();
    await chat.say('Hello?');

    const called = { needsResponse: true, needsResponseReason: 'agent_silent' };
    expect(await chat.update({ paused: true })).toMatchObject(called);
    const cleared = { needsResponse: false, needsResponseReason: null };
    expect(await chat.update({ paused: false })).toMatchObject(cleared);
  });

  it('alerts no colleague when the member waits for nothing', async () => {
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
  await sendAssistantMessage(workspace.context(), answer);

  await chat.update({ paused: false });

  expect(await chat.next()).toEqual({ kind: 'idle' });
});

it('updateChat adds the assistant as a participant when it enables the assistant', async () => {
  const values = { name: 'Helper', instructions: 'Be kind.', isDefault: true };
  const { memberId } = await createAssistant(workspace.context(), values);
  const chat = await newChat({ assistantEnabled: false });
  expect((await chat.update({})).participants).toHaveLength(1);

  const enabled = await chat.update({ assistantEnabled: true });

  expect(enabled.participants).toMatchObject([{ role: 'user' }, { role: 'assistant', memberId }]);
});
