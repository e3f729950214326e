import { describe, expect, it } from 'vitest';
import type { DeliveryRow } from '../../../db/channels/deliveries.js';
import { type UpdateChat, updateChat } from '../../../domain/conversations/chats/update-chat.js';
import { MovedClock, minutes } from '../../support/lib/moved-clock.js';
import { waitFor } from '../../support/lib/wait-for.js';
import {
  createSmsWorkspace,
  type SmsAssignment,
  type SmsConversation,
} from '../../support/system/sms-workspace.js';
import { startSystem } from '../../support/system/system.js';
import { useSmsWorkspace } from '../../support/system/use-sms-workspace.js';
import { doors, talk } from '../small-trees.js';

const { system, workspace } = useSmsWorkspace(startSystem);

/** What the model says next to the member of this chat. */
const script = (
  { texter }: Pick<SmsConversation, 'texter'>,
  answers: Parameters<typeof system.model.script>[0],
) => system.model.script(answers, texter.row.name ?? '');
const runOf = (chat: SmsConversation) => system.run('answerChat', chat.chatUuid);

/** Resolves when the latest run of the chat has ended; returns its id. */
async function ended(chat: SmsConversation): Promise<string> {
  return waitFor('the run has ended', async () => {
    const { status, runId } = await runOf(chat).describe();
    return status.name === 'COMPLETED' && runId;
  });
}

describe('the answerChat run', () => {
  it('ends after one turn, and the next message starts a new run', async () => {
    const chat = await workspace.openChat();

    await chat.write('first question');
    await chat.heard('You wrote: first question.');
    const firstRun = await ended(chat);
    expect(await runOf(chat).result()).toEqual({ turns: 1, replied: 1 });
    await chat.write('second question');
    await chat.heard('You wrote: second question.');

    expect(await ended(chat)).not.toBe(firstRun);
    await chat.settled();
    expect(await chat.said()).toHaveLength(4);
    expect(await chat.carried()).toHaveLength(2);
  });

  it('answers in one reply all messages written while no worker ran', async () => {
    const chat = await workspace.openChat();
    await system.stopWorker();
    for (const text of ['one', 'two', 'three']) await chat.write(text);

    await system.startWorker();

    await chat.heard('You wrote: one / two / three.');
    await ended(chat);
    expect(await chat.said('assistant')).toHaveLength(1);
    expect(await system.model.requests(chat.texter.row.name ?? '')).toHaveLength(1);
  });

  it('drops its reply when more messages arrive, and answers all of them in one reply', async () => {
    const chat = await held();

    await chat.write('two');
    await chat.write('three');
    await system.model.release();

    await chat.heard('You wrote: one / two / three.');
    await expectReplies(chat, 1);
    expect(await chat.said('assistant')).toEqual(['You wrote: one / two / three. How can I help you?']);
  });

  it('is interrupted at most three times in a turn, and answers later messages in a new turn', async () => {
    const chat = await workspace.openChat();
    const late = { hold: true, content: 'too late' };
    await script(chat, [late, late, late, late]);

    await chat.write('message 0');
    for (const number of [1, 2, 3, 4]) {
      await system.model.held();
      await chat.write(`message ${number}`);
      await system.model.release();
    }

    await chat.heard('You wrote: message 4.');
    await ended(chat);
    expect(await chat.said('assistant')).toEqual(['too late', expect.stringContaining('message 4')]);
    const rounds = await workspace.select<{ turn: string }>(
      'select turn_uuid as turn from token_usage where chat_id = ? order by id',
      [chat.chatId],
    );
    const [first, ...others] = rounds.map(({ turn }) => turn);
    expect(others.map((turn) => turn === first)).toEqual([true, true, true, false]);
  });

  it('never sends the agent’s reply after a person has taken over', async () => {
    const chat = await held();

    const posted = await chat.post('A person here.');
    await system.model.release();

    expect(posted.status).toBe(201);
    await ended(chat);
    await chat.settled();
    expect(await chat.said('assistant')).toEqual(['A person here.']);
    expect(await chat.carried()).toEqual(['A person here.']);
    const takenOver = { paused: true, pausedReason: 'operator_reply', needsResponse: false };
    expect(await chat.chat()).toMatchObject(takenOver);
  });

  it('sends a follow-up when it is due', async () => {
    const chat = await workspace.openChat();
    const due = { after: 'PT1S', instructions: 'Ask how it went' };
    const toolCalls = [{ name: 'schedule_follow_up', arguments: due }];
    await script(chat, [{ toolCalls }, { content: 'I will come back to you.' }]);

    await chat.write('remind me');

    await chat.heard('I will come back to you.');
    await chat.heard('Ask how it went');
    await ended(chat);
  });
});

describe('the answerChat run without an answer of the model', () => {
  it('alerts a colleague after a permanent error, and tries again with the next message', async () => {
    const chat = await workspace.openChat();
    await script(chat, [{ status: 400, error: 'context_length_exceeded' }]);

    await chat.write('hello');
    await waitFor('a colleague is alerted', async () => (await chat.chat()).needsResponse);
    await ended(chat);
    expect((await chat.chat()).needsResponseReason).toBe('turn_failed');
    expect(await chat.said('assistant')).toEqual([]);
    await chat.write('still there?');

    await chat.heard('You wrote: hello / still there?');
    expect((await chat.chat()).needsResponse).toBe(false);
  });

  it('retries after a rate limit and after a dropped connection', async () => {
    const chat = await workspace.openChat();
    await script(chat, [{ status: 429, headers: { 'retry-after': '1' } }, { error: 'drop' }]);

    await chat.write('hello');

    await chat.heard('You wrote: hello.');
    await ended(chat);
    expect(await chat.said('assistant')).toHaveLength(1);
  });
});

async function update(chat: SmsConversation, body: object): Promise<void> {
  const answer = await workspace.asAdmin('PUT', `/chats/${chat.chatId}`, body);
  expect(answer.status).toBe(200);
}

/** Expects, once the run has ended, this number of replies, each of them sent. */
async function expectReplies(chat: SmsConversation, count: number): Promise<void> {
  await ended(chat);
  await chat.settled();
  expect(await chat.said('assistant')).toHaveLength(count);
  expect(await chat.carried()).toHaveLength(count);
}

/** The number of answers of the model in the chat: their tokens are counted even if the text is dropped. */
const answersOf = async (chat: SmsConversation) =>
  (await workspace.select('select id from token_usage where chat_id = ?', [chat.chatId])).length;

/** Resolves once the model has given this number of answers. */
const answered = (chat: SmsConversation, count: number) =>
  waitFor(`the model has answered ${count} times`, async () => (await answersOf(chat)) === count);

/** A chat in which the model holds its answer to the member’s message. */
async function held(): Promise<SmsConversation> {
  const chat = await workspace.openChat();
  await script(chat, [{ hold: true, content: 'words of before' }]);
  await chat.write('one');
  await system.model.held();
  return chat;
}

/** An assignment in whose first turn the model holds its answer. */
async function beginHeld(definitionId: number): Promise<SmsAssignment> {
  const texter = await workspace.addTexter();
  await script({ texter }, [{ hold: true, content: 'words of before' }]);
  const assignment = await workspace.begin(definitionId, texter);
  await system.model.held();
  return assignment;
}

/** A chat in which the model held its answer, once the chat was changed meanwhile and the answer was dropped. */
async function changedMeanwhile(change: object): Promise<SmsConversation> {
  const chat = await held();
  await update(chat, change);
  await system.model.release();
  await answered(chat, 1);
  return chat;
}

const silencing: [string, object, object][] = [
  ['pausing', { paused: true }, { paused: false }],
  ['archiving', { archived: true }, { archived: false }],
];

describe.each(silencing)('%s a chat', (_what, silence, giveBack) => {
  it('drops the reply in progress, and resuming answers the new messages once', async () => {
    const chat = await changedMeanwhile(silence);
    await ended(chat);
    expect(await chat.said('assistant')).toEqual([]);
    expect(await chat.carried()).toEqual([]);

    await update(chat, giveBack);
    await chat.heard('You wrote: one.');
    await expectReplies(chat, 1);
  });

  it('followed by resuming while the model still answers leads to one reply', async () => {
    const chat = await held();

    await update(chat, silence);
    await update(chat, giveBack);
    await system.model.release();

    await chat.heard('You wrote: one.');
    await expectReplies(chat, 1);
  });

  it('after the reply keeps it, and resuming answers nothing twice', async () => {
    const chat = await workspace.openChat();
    await chat.write('one');
    await chat.heard('You wrote: one.');

    await update(chat, silence);
    await update(chat, giveBack);
    await chat.write('two');

    await chat.heard('You wrote: two.');
    await expectReplies(chat, 2);
  });
});

it('leaves messages during a pause to a person, and answers all of them after it', async () => {
  const chat = await changedMeanwhile({ paused: true });
  for (const text of ['two', 'three']) await chat.write(text);
  await waitFor('all is there', async () => (await chat.said('user')).length === 3);
  expect(await chat.chat()).toMatchObject({ needsResponse: true });
  expect(await chat.said('assistant')).toEqual([]);

  await update(chat, { paused: false });

  await chat.heard('You wrote: one / two / three.');
  await expectReplies(chat, 1);
  expect(await chat.chat()).toMatchObject({ needsResponse: false, paused: false });
});

it('reopens an archived chat when the member writes, and answers all messages', async () => {
  const chat = await changedMeanwhile({ archived: true });

  await chat.write('two');

  await chat.heard('You wrote: one / two.');
  await expectReplies(chat, 1);
  expect(await chat.chat()).toMatchObject({ archived: false });
});

it('pauses the run of an assignment too, which continues afterwards', async () => {
  const definitionId = await workspace.publish(talk('Hall', 'Welcome to the hall.'));
  const chat = await beginHeld(definitionId);

  await update(chat, { paused: true });
  await system.model.release();
  await answered(chat, 1);
  await chat.write('hello?');
  await waitFor('a colleague is alerted', async () => (await chat.chat()).needsResponse);
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
      children: [
        {
          name: 'Remind',
          taskType: 'message',
          configuration: { text: 'It is time.' },
          abilities: [{ abilityType: 'handoff' }],
        },
      ],
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
    const isDelivered = async () => (await place.select('select id from outbox')).length === 0;
    await waitFor('the poke was delivered', isDelivered);
    expect(await chat.said('assistant')).toEqual([]);
    await change({ archived: false });

    await chat.heard('It is time.');
  } finally {
    await ownSystem.stop();
  }
});

async function deleteMember({ texter }: SmsConversation): Promise<void> {
  const answer = await workspace.asAdmin('DELETE', `/members/${texter.memberId}`);
  expect(answer.status).toBe(204);
}

const deliveriesOf = (chat: SmsConversation) =>
  workspace.select<Pick<DeliveryRow, 'state' | 'attempts'> & { failure_reason: string | null }>(
    'select state, attempts, failure_reason from deliveries where chat_id = ? order by id',
    [chat.chatId],
  );

it('cancels the assignment of a deleted member during a turn, and the agent sends nothing more', async () => {
  const definitionId = await workspace.publish(doors);
  const assignment = await beginHeld(definitionId);

  await deleteMember(assignment);

  expect(await assignment.assignment()).toMatchObject({ status: 'cancelled', outcome: 'member_deleted' });
  await system.model.release();
  const run = system.run('runAssignment', assignment.assignmentUuid);
  await waitFor('the run is cancelled', async () => (await run.describe()).status.name === 'CANCELLED');
  expect(await assignment.said('assistant')).toEqual([]);
  expect(await assignment.carried()).toEqual([]);
});

it('drops a reply in progress in a chat of a deleted member', async () => {
  const chat = await held();

  await deleteMember(chat);
  await system.model.release();

  await runOf(chat).result();
  expect(await chat.said('assistant')).toEqual([]);
  expect(await chat.carried()).toEqual([]);
  expect(await chat.chat()).toMatchObject({ paused: true, pausedReason: 'member_deleted' });
});

it('sends no messages that a busy carrier has delayed once their member is deleted', async () => {
  const chat = await workspace.openChat();
  await system.carrier.turn({ handset: chat.texter.phone, busy: { rate: 1, retryAfterSeconds: 1 } });
  await chat.post('one');
  await chat.post('two');
  await waitFor('the carrier was busy', async () => (await deliveriesOf(chat))[0]?.attempts === 1);

  await deleteMember(chat);

  await chat.settled();
  expect(await deliveriesOf(chat)).toEqual([
    { state: 'failed', attempts: 1, failure_reason: 'member_deleted' },
    { state: 'failed', attempts: 0, failure_reason: 'member_deleted' },
  ]);
  expect(await chat.carried()).toEqual([]);
});

it('creates a new member and chat for a sender with the number of a deleted member', async () => {
  const chat = await workspace.openChat();
  await chat.write('one');
  await chat.heard('You wrote: one.');
  await chat.settled();

  await deleteMember(chat);
  await chat.write('two');

  const members = await waitFor('there is a new member', async () => {
    const found = await workspace.select<{ id: number; name: string | null }>(
      'select id, name from members where phone = ? and deleted_at is null',
      [chat.texter.phone],
    );
    return found.length > 0 ? found : undefined;
  });
  expect(members).toEqual([{ id: expect.any(Number), name: null }]);
  expect(await chat.said('user')).toEqual(['one']);
  await waitFor('the newcomer is answered', async () =>
    (await chat.carried()).some((text) => text.includes('You wrote: two.')),
  );
});
