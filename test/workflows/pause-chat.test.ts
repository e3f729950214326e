import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type UpdateChat, updateChat } from '../../domain/conversations/chats/update-chat.js';
import { MovedClock, minutes } from '../support/lib/moved-clock.js';
import { waitFor } from '../support/lib/wait-for.js';
import {
  createSmsWorkspace,
  type SmsConversation,
  type SmsWorkspace,
} from '../support/system/sms-workspace.js';
import { startSystem, type TestSystem } from '../support/system/system.js';
import { talk } from './small-trees.js';

let system: TestSystem;
let workspace: SmsWorkspace;

beforeAll(async () => {
  system = await startSystem();
  workspace = await createSmsWorkspace(system);
});
afterAll(() => system.stop());

async function update(chat: SmsConversation, body: object): Promise<void> {
  const { apiKey } = workspace.admin;
  const path = workspace.path(`/chats/${chat.chatId}`);
  const answer = await system.api.request('PUT', path, { apiKey, body });
  expect(answer.status).toBe(200);
}

/** The number of answers of the model in the chat: their tokens are counted even if the text is dropped. */
const answersOf = async (chat: SmsConversation) =>
  (await workspace.select('select id from token_usage where chat_id = ?', [chat.chatId])).length;

/** Resolves once the model has given this number of answers. */
const answered = (chat: SmsConversation, count: number) =>
  waitFor(`the model has answered ${count} times`, async () => (await answersOf(chat)) === count);

/** Resolves once the run has ended. */
const idle = (chat: SmsConversation) =>
  waitFor('the run has ended', async () => {
    const { status } = await system.run('answerChat', chat.chatUuid).describe();
    return status.name === 'COMPLETED';
  });

/** A chat in which the model holds its answer to the member’s message. */
async function held(): Promise<SmsConversation> {
  const chat = await workspace.openChat();
  await system.model.script([{ hold: true, content: 'words of before' }], chat.texter.row.name ?? '');
  await chat.write('one');
  await system.model.held();
  return chat;
}

const silencing: [string, object, object][] = [
  ['pausing', { paused: true }, { paused: false }],
  ['archiving', { archived: true }, { archived: false }],
];

describe.each(silencing)('%s a chat', (_what, silence, giveBack) => {
  it('drops the reply in progress, and resuming answers the new messages once', async () => {
    const chat = await held();

    await update(chat, silence);
    await system.model.release();
    await answered(chat, 1);
    await idle(chat);
    expect(await chat.said('assistant')).toEqual([]);
    expect(await chat.carried()).toEqual([]);

    await update(chat, giveBack);
    await chat.heard('You wrote: one.');
    await idle(chat);
    await chat.settled();
    expect(await chat.said('assistant')).toHaveLength(1);
    expect(await chat.carried()).toHaveLength(1);
  });

  it('followed by resuming while the model still answers leads to one reply', async () => {
    const chat = await held();

    await update(chat, silence);
    await update(chat, giveBack);
    await system.model.release();

    await chat.heard('You wrote: one.');
    await idle(chat);
    await chat.settled();
    expect(await chat.said('assistant')).toHaveLength(1);
    expect(await chat.carried()).toHaveLength(1);
  });

  it('after the reply keeps it, and resuming answers nothing twice', async () => {
    const chat = await workspace.openChat();
    await chat.write('one');
    await chat.heard('You wrote: one.');

    await update(chat, silence);
    await update(chat, giveBack);
    await chat.write('two');

    await chat.heard('You wrote: two.');
    await idle(chat);
    await chat.settled();
    expect(await chat.said('assistant')).toHaveLength(2);
    expect(await chat.carried()).toHaveLength(2);
  });
});

it('leaves messages during a pause to a person, and answers all of them after it', async () => {
  const chat = await held();
  await update(chat, { paused: true });
  await system.model.release();
  await answered(chat, 1);
  for (const text of ['two', 'three']) await chat.write(text);
  await waitFor('all is there', async () => (await chat.said('user')).length === 3);
  expect(await chat.chat()).toMatchObject({ needsResponse: true });
  expect(await chat.said('assistant')).toEqual([]);

  await update(chat, { paused: false });

  await chat.heard('You wrote: one / two / three.');
  await idle(chat);
  await chat.settled();
  expect(await chat.carried()).toHaveLength(1);
  expect(await chat.chat()).toMatchObject({ needsResponse: false, paused: false });
});

it('reopens an archived chat when the member writes, and answers all messages', async () => {
  const chat = await held();
  await update(chat, { archived: true });
  await system.model.release();
  await answered(chat, 1);

  await chat.write('two');

  await chat.heard('You wrote: one / two.');
  await idle(chat);
  await chat.settled();
  expect(await chat.carried()).toHaveLength(1);
  expect(await chat.chat()).toMatchObject({ archived: false });
});

it('pauses the run of an assignment too, which continues afterwards', async () => {
  const definitionId = await workspace.publish(talk('Hall', 'Welcome to the hall.'));
  const texter = await workspace.addTexter();
  await system.model.script([{ hold: true, content: 'words of before' }], texter.row.name ?? '');
  const chat = await workspace.begin(definitionId, texter);
  await system.model.held();

  await update(chat, { paused: true });
  await system.model.release();
  await answered(chat, 1);
  await chat.write('hello?');
  await waitFor('a person is called', async () => (await chat.chat()).needsResponse);
  expect(await chat.said('assistant')).toEqual([]);
  expect(await answersOf(chat)).toBe(1);
  await update(chat, { paused: false });

  await chat.heard('Welcome to the hall.');
  await chat.settled();
  expect(await chat.said('assistant')).toHaveLength(1);
  expect(await chat.carried()).toHaveLength(1);
  expect(await chat.assignment()).toMatchObject({ status: 'active' });
});

it('wakes the run of an assignment on unarchiving, and then a wait that has become due ends', async () => {
  const clock = new MovedClock();
  const ownSystem = await startSystem({ clock });
  try {
    const place = await createSmsWorkspace(ownSystem);
    const definitionId = await place.publish({
      name: 'Wait',
      taskType: 'wait',
      configuration: { for: 'PT10M' },
      autoNext: true,
      children: [{ name: 'Remind', taskType: 'message', configuration: { text: 'It is time.' } }],
    });
    const chat = await place.begin(definitionId);
    const change = (changes: UpdateChat) =>
      updateChat(place.context(place.admin, clock), chat.chatId, changes);
    const details = async () =>
      JSON.stringify(
        await ownSystem.run('runAssignment', chat.assignmentUuid).query('__temporal_workflow_metadata'),
      );

    await change({ archived: true, paused: true });
    await waitFor('the run rests', async () => (await details()).includes('archived, rests'));
    clock.advance(minutes(20));
    await place.poke('runAssignment', chat.assignmentUuid);
    await waitFor(
      'the poke was delivered',
      async () => (await place.select('select id from outbox')).length === 0,
    );
    expect(await chat.said('assistant')).toEqual([]);
    await change({ archived: false });

    await chat.heard('It is time.');
  } finally {
    await ownSystem.stop();
  }
});
