import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { waitFor } from '../support/lib/wait-for.js';
import {
  createSmsWorkspace,
  type SmsConversation,
  type SmsWorkspace,
} from '../support/system/sms-workspace.js';
import { startSystem, type TestSystem } from '../support/system/system.js';

let system: TestSystem;
let workspace: SmsWorkspace;

beforeAll(async () => {
  system = await startSystem();
  workspace = await createSmsWorkspace(system);
});
afterAll(() => system.stop());

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
    const chat = await workspace.openChat();
    await system.model.script([{ hold: true, content: 'too late' }], chat.texter.row.name ?? '');

    await chat.write('one');
    await system.model.held();
    await chat.write('two');
    await chat.write('three');
    await system.model.release();

    await chat.heard('You wrote: one / two / three.');
    await ended(chat);
    await chat.settled();
    expect(await chat.said('assistant')).toEqual(['You wrote: one / two / three. How can I help you?']);
    expect(await chat.carried()).toHaveLength(1);
  });

  it('is interrupted at most three times in a turn, and answers later messages in a new turn', async () => {
    const chat = await workspace.openChat();
    const held = { hold: true, content: 'too late' };
    await system.model.script([held, held, held, held], chat.texter.row.name ?? '');

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
    const chat = await workspace.openChat();
    await system.model.script([{ hold: true, content: 'words of the agent' }], chat.texter.row.name ?? '');
    await chat.write('is anybody there?');
    await system.model.held();

    const posted = await system.api.request(
      'POST',
      workspace.path(`/chats/${chat.chatId}/send-assistant-message`),
      {
        apiKey: workspace.admin.apiKey,
        body: { message: 'A person here.' },
      },
    );
    await system.model.release();

    expect(posted.status).toBe(201);
    await ended(chat);
    await chat.settled();
    expect(await chat.said('assistant')).toEqual(['A person here.']);
    expect(await chat.carried()).toEqual(['A person here.']);
    expect(await chat.chat()).toMatchObject({
      paused: true,
      pausedReason: 'operator_reply',
      needsResponse: false,
    });
  });

  it('sends a follow-up when it is due', async () => {
    const chat = await workspace.openChat();
    await system.model.script(
      [
        {
          toolCalls: [
            { name: 'schedule_follow_up', arguments: { after: 'PT1S', instructions: 'Ask how it went' } },
          ],
        },
        { content: 'I will come back to you.' },
      ],
      chat.texter.row.name ?? '',
    );

    await chat.write('remind me');

    await chat.heard('I will come back to you.');
    await chat.heard('Ask how it went');
    await ended(chat);
  });
});

describe('the answerChat run without an answer of the model', () => {
  it('calls a person after a permanent error, and tries again with the next message', async () => {
    const chat = await workspace.openChat();
    await system.model.script(
      [{ status: 400, error: 'context_length_exceeded' }],
      chat.texter.row.name ?? '',
    );

    await chat.write('hello');
    await waitFor('a person is called', async () => (await chat.chat()).needsResponse);
    await ended(chat);
    expect((await chat.chat()).needsResponseReason).toBe('turn_failed');
    expect(await chat.said('assistant')).toEqual([]);
    await chat.write('still there?');

    await chat.heard('You wrote: hello / still there?');
    expect((await chat.chat()).needsResponse).toBe(false);
  });

  it('retries after a rate limit and after a dropped connection', async () => {
    const chat = await workspace.openChat();
    await system.model.script(
      [{ status: 429, headers: { 'retry-after': '1' } }, { error: 'drop' }],
      chat.texter.row.name ?? '',
    );

    await chat.write('hello');

    await chat.heard('You wrote: hello.');
    await ended(chat);
    expect(await chat.said('assistant')).toHaveLength(1);
  });
});
