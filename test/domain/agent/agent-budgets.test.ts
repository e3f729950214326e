import { describe, expect, it } from 'vitest';
import { selectPendingFollowUps } from '../../../db/conversations/follow-ups.js';
import { waitingChats as waiting } from '../../../domain/conversations/chats/repair-chats.js';
import { sendAssistantMessage } from '../../../domain/conversations/chats/send-assistant-message.js';
import { maxInterruptions, maxToolCallsInAnswer } from '../../../domain/kernel/agent-budgets.js';
import type { RowOfRun } from '../../../domain/kernel/reconcile-rows.js';
import { walkThrough } from '../../support/api/walk-through.js';
import { type FreeChat, stageFreeChat } from '../../support/chats/free-chat.js';
import { emptyOutbox } from '../../support/db/empty-outbox.js';
import { days, hours, minutes } from '../../support/lib/moved-clock.js';
import { useWorkspace } from '../../support/workspace/use-workspace.js';
import { call, reply, Turn, toolResult } from './take-round.js';

const suite = useWorkspace();
const stage = (...[options]: Parameters<typeof stageFreeChat> extends [unknown, (infer O)?] ? [O?] : never) =>
  stageFreeChat(suite.workspace, options);

/** The member writes a message and the agent answers it. */
async function talk(chat: FreeChat, text: string): Promise<void> {
  await chat.memberWrites(text);
  expect(await chat.advance()).toMatchObject({ kind: 'turn' });
  await new Turn(chat).take(reply('Go on.'));
}

/** What the reconciler would find once the relay has delivered the outbox. */
const waitingChats = async (chat: FreeChat) => {
  await emptyOutbox(suite.database);
  const lists = await Promise.all(
    (['answers', 'follow_ups'] as const).map((list) =>
      walkThrough<RowOfRun, number>((after) => waiting[list].page(chat.context, chat.workspaceId, after)),
    ),
  );
  return lists.flat().filter(({ id }) => id === chat.chatId);
};

const pendingFollowUps = (chat: FreeChat) =>
  suite.workspace.database.inWorkspace(chat.workspaceId, (tx) => selectPendingFollowUps(tx, chat.chatId));

describe('the turnsPerHour budget', () => {
  it('alerts a colleague when it is used up, and lets the agent answer the rest an hour later', async () => {
    const chat = await stage({ budgets: { turnsPerHour: 2 } });
    await talk(chat, 'one');
    await talk(chat, 'two');

    await chat.memberWrites('three');
    const held = await chat.advance();

    expect(held).toEqual({ kind: 'wait', until: chat.clock.now().getTime() + hours(1) });
    expect(await chat.chat()).toMatchObject({ needsResponse: true, needsResponseReason: 'turn_budget' });
    expect(await new Turn(chat).prepare()).toMatchObject({ kind: 'settled' });
    expect(await waitingChats(chat)).toEqual([]);
    chat.clock.advance(hours(1));
    expect(await waitingChats(chat)).toHaveLength(1);
    expect(await chat.advance()).toMatchObject({ kind: 'turn' });
    await new Turn(chat).take(reply('Now'));
    expect(await chat.chat()).toMatchObject({ needsResponse: false, agentStoppedReason: null });
  });

  it('lets the agent continue at once when a colleague resumes the chat', async () => {
    const chat = await stage({ budgets: { turnsPerHour: 1 } });
    await talk(chat, 'one');
    await chat.memberWrites('two');
    await chat.advance();

    await chat.update({ paused: true });
    await chat.update({ paused: false });

    expect(await chat.advance()).toMatchObject({ kind: 'turn' });
    expect(await chat.chat()).toMatchObject({ needsResponse: false, agentStoppedReason: null });
  });

  it('lets the agent continue after a colleague has answered and resumed the chat', async () => {
    const chat = await stage({ budgets: { turnsPerHour: 1 } });
    await talk(chat, 'one');
    await chat.memberWrites('two');
    await chat.advance();

    await sendAssistantMessage(chat.colleague, {
      chatId: chat.chatId,
      message: 'I am here',
      toolCalls: [],
    });
    expect(await chat.chat()).toMatchObject({ paused: true, needsResponse: false, agentStoppedReason: null });
    await chat.update({ paused: false });

    await talk(chat, 'three');
  });

  it('counts each chat separately', async () => {
    const [one, other] = [
      await stage({ budgets: { turnsPerHour: 1 } }),
      await stage({ budgets: { turnsPerHour: 1 } }),
    ];
    await talk(one, 'hello');

    await talk(other, 'hello');
  });
});

describe('the turnsPerDay budget', () => {
  it('keeps the agent silent, also on later days, until a colleague resumes the chat', async () => {
    const chat = await stage({ budgets: { turnsPerDay: 2 } });
    chat.clock.advance(midnightAfter(chat));
    await talk(chat, 'one');
    await talk(chat, 'two');
    await chat.memberWrites('three');

    expect(await chat.advance()).toEqual({ kind: 'idle' });
    chat.clock.advance(days(3));
    await chat.memberWrites('four');
    expect(await chat.advance()).toEqual({ kind: 'idle' });
    expect(await waitingChats(chat)).toEqual([]);

    await chat.update({ paused: false });
    expect(await chat.advance()).toMatchObject({ kind: 'turn' });
  });
});

describe('the unattendedTurns budget', () => {
  const automatic = "I'm driving and will reply to you later.";

  it('ends an exchange with an automatic reply', async () => {
    const chat = await stage({ budgets: { unattendedTurns: 3 } });
    let turns = 0;
    await chat.memberWrites(automatic);
    while ((await chat.advance()).kind === 'turn' && turns < 50) {
      chat.clock.advance(minutes(1));
      await new Turn(chat).take(reply('Drive safely!'));
      turns += 1;
      await chat.memberWrites(automatic);
    }

    expect(turns).toBe(3);
    expect(await chat.chat()).toMatchObject({ needsResponse: true, needsResponseReason: 'unattended_turns' });
    chat.clock.advance(days(2));
    expect(await chat.advance()).toEqual({ kind: 'idle' });
    await chat.memberWrites('Here I am, sorry');
    expect(await chat.advance()).toMatchObject({ kind: 'turn' });
  });

  it('does not take a short answer that a person repeats for an automatic reply', async () => {
    const chat = await stage({ budgets: { unattendedTurns: 3 } });

    for (let index = 0; index < 8; index += 1) await talk(chat, 'yes');
  });

  it('leaves an exchange between two machines that never repeat themselves to the turnsPerDay budget', async () => {
    const chat = await stage({ budgets: { turnsPerHour: 4, turnsPerDay: 10, unattendedTurns: 3 } });
    chat.clock.advance(midnightAfter(chat));
    let turns = 0;
    for (let index = 0; index < 200; index += 1) {
      chat.clock.advance(minutes(5));
      await chat.memberWrites(`A new thought of a machine, number ${index}`);
      if ((await chat.advance()).kind !== 'turn') continue;
      await new Turn(chat).take(reply('Interesting!'));
      turns += 1;
    }

    expect(turns).toBe(10);
    expect(await chat.chat()).toMatchObject({ needsResponseReason: 'turn_budget', agentStoppedUntil: null });
  });
});

describe('the follow-up budgets', () => {
  it('apply the minimum delay and refuse a follow-up beyond pendingFollowUps', async () => {
    const chat = await stage({ budgets: { pendingFollowUps: 2 } });
    await chat.memberWrites('Follow up with me in a second, three times');
    const turn = new Turn(chat);
    const followUp: [string, object] = ['schedule_follow_up', { after: 'PT1S', instructions: 'Ask' }];

    const { toolCallIds } = await turn.run(call(followUp, followUp, followUp));

    const dueAt = new Date(chat.clock.now().getTime() + minutes(5));
    expect((await pendingFollowUps(chat)).map((one) => one.dueAt)).toEqual([dueAt, dueAt]);
    expect(await toolResult(chat, toolCallIds[2] ?? '')).toEqual({
      ok: false,
      error: 'too_many_follow_ups',
      pending: 2,
    });
  });

  it('stop a model that schedules a new follow-up every time', async () => {
    const chat = await stage({ budgets: { unattendedFollowUps: 3 } });
    await chat.memberWrites('Follow up with me, again and again');
    let turns = 0;
    for (let index = 0; index < 50; index += 1) {
      const step = await chat.advance();
      if (step.kind === 'idle') break;
      if (step.kind === 'wait') {
        chat.clock.advance((step.until ?? 0) - chat.clock.now().getTime());
        continue;
      }
      const turn = new Turn(chat);
      await turn.run(call(['schedule_follow_up', { after: 'PT1S', instructions: 'Check in' }]));
      await turn.take(reply('Just checking in.'));
      turns += 1;
    }

    expect(turns).toBe(4);
    expect(await pendingFollowUps(chat)).toEqual([]);
    expect(await chat.chat()).toMatchObject({ needsResponse: true, needsResponseReason: 'follow_up_budget' });
    expect(await chat.advance()).toEqual({ kind: 'idle' });
  });
});

describe('the token and credit budgets', () => {
  it.each([
    ['tokens of the chat', { chatTokensPerDay: 120 }],
    ['credits of the chat', { chatCreditsPerDay: 0.1 }],
  ])('stop the agent until the next midnight once they are used up: %s', async (_what, budgets) => {
    const chat = await stage({ budgets });
    chat.clock.advance(midnightAfter(chat));
    await talk(chat, 'one');
    await chat.memberWrites('two');

    const midnight = chat.clock.now().getTime() + midnightAfter(chat);
    expect(await chat.advance()).toEqual({ kind: 'wait', until: midnight });
    expect(await chat.chat()).toMatchObject({ needsResponseReason: 'token_budget' });
    chat.clock.advance(midnightAfter(chat));
    expect(await chat.advance()).toMatchObject({ kind: 'turn' });
  });

  it.each(['workspaceTokensPerDay', 'workspaceCreditsPerDay'] as const)(
    'apply %s to all chats of the workspace together',
    async (bound) => {
      const [one, other] = [
        await stage({ budgets: { [bound]: 0.01 } }),
        await stage({ budgets: { [bound]: 0.01 } }),
      ];
      // Each case has its own day, because both cases use the same workspace.
      for (const chat of [one, other]) chat.clock.advance(days(bound === 'workspaceTokensPerDay' ? 40 : 80));
      await talk(one, 'hello');
      await other.memberWrites('hello');

      expect(await other.advance()).toMatchObject({ kind: 'wait' });
      expect(await other.chat()).toMatchObject({ needsResponseReason: 'token_budget' });
    },
  );
});

describe('a turn that new messages interrupt again and again', () => {
  it('is recorded after the maximum of interruptions, and one more turn answers the rest', async () => {
    const chat = await stage();
    await chat.memberWrites('message 0');
    const results: string[] = [];
    for (let index = 1; index <= maxInterruptions + 1; index += 1) {
      const turn = new Turn(chat);
      const asked = await turn.ask();
      await chat.memberWrites(`message ${index}`);
      results.push((await turn.record(asked, reply(`Answer ${index}`))).kind);
    }

    expect(results).toEqual([...Array(maxInterruptions).fill('interrupted'), 'replied']);
    expect(await chat.advance()).toMatchObject({ kind: 'turn' });
    const last = (await new Turn(chat).ask()).messages.at(-1);
    expect(last).toEqual({ role: 'user', content: `message ${maxInterruptions + 1}` });
    await new Turn(chat).take(reply('The rest'));
    expect(await chat.advance()).toEqual({ kind: 'idle' });
  });

  it('is still interrupted when a colleague pauses and resumes the chat during it', async () => {
    const chat = await stage();
    await chat.memberWrites('message 0');
    for (let index = 1; index <= maxInterruptions; index += 1) {
      const turn = new Turn(chat);
      const asked = await turn.ask();
      await chat.memberWrites(`message ${index}`);
      await turn.record(asked, reply('Too late'));
    }
    const turn = new Turn(chat);
    const asked = await turn.ask();
    await chat.memberWrites('one more');
    await chat.update({ paused: true });
    await chat.update({ paused: false });

    expect(await turn.record(asked, reply('Too late'))).toEqual({ kind: 'interrupted' });
  });
});

describe('recordAnswer', () => {
  it('keeps at most mostToolCallsInAnswer tool calls of one answer', async () => {
    const chat = await stage();
    await chat.memberWrites('Do everything');
    const many = Array.from({ length: 128 }, (): [string, object] => ['handoff', { reason: 'busy' }]);

    const result = await new Turn(chat).take(call(...many));

    expect(result).toMatchObject({ kind: 'tools' });
    expect(result.kind === 'tools' && result.toolCallIds).toHaveLength(maxToolCallsInAnswer);
  });
});

/** Milliseconds until the next midnight, UTC. */
function midnightAfter({ clock }: FreeChat): number {
  return days(1) - (clock.now().getTime() % days(1));
}
