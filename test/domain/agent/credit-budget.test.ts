import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { settleFailedCall } from '../../../activities/agent/settle-failed-call.js';
import { lockMonth, saveCreditBudget } from '../../../db/agent/credit-budgets.js';
import { patchChat } from '../../../db/conversations/chats.js';
import { bookCrashedCalls, bookModelCall } from '../../../domain/agent/model-calls.js';
import {
  type CreditBudgetView,
  getCreditBudget,
  updateCreditBudget,
} from '../../../domain/agent/usage/credit-budget.js';
import { listUsageByMember, readUsage } from '../../../domain/agent/usage/read-usage.js';
import { wakeStoppedChatsOf } from '../../../domain/chat-state/wake-stopped-chats.js';
import { readTokenUsage } from '../../../domain/conversations/chats/read-token-usage.js';
import type { CommandContext } from '../../../domain/kernel/context.js';
import { ModelBusy, ModelRefused, ModelUnusable } from '../../../providers/model/chat-model.js';
import { type FreeChat, stageFreeChat } from '../../support/chats/free-chat.js';
import { queryOnce } from '../../support/db/connect.js';
import { emptyOutbox } from '../../support/db/empty-outbox.js';
import { whenWaitedFor } from '../../support/db/locks.js';
import { days, minutes } from '../../support/lib/moved-clock.js';
import { addEventRule } from '../../support/webhooks/event-rules.js';
import {
  createWorkspace,
  type TestWorkspace,
  type WorkspaceOptions,
} from '../../support/workspace/factories.js';
import { proveEmail } from '../../support/workspace/prove-email.js';
import { useWorkspace } from '../../support/workspace/use-workspace.js';
import { call, reply, Turn } from './take-round.js';

const suite = useWorkspace();

/** A workspace of its own, and a chat in it. */
async function stage(options: WorkspaceOptions = {}): Promise<{ workspace: TestWorkspace; chat: FreeChat }> {
  const workspace = await createWorkspace(suite.database.database, options);
  return { workspace, chat: await stageFreeChat(workspace) };
}

const setBudget = (chat: FreeChat, changes: Parameters<typeof updateCreditBudget>[1]) =>
  updateCreditBudget(chat.colleague, changes);

/** An answer that costs so many credits. */
const costing = (credits: number) => ({
  ...reply('Go on.'),
  usage: {
    promptTokens: credits * 1_000,
    completionTokens: 0,
    cachedTokens: 0,
    totalTokens: credits * 1_000,
  },
});

async function talk(chat: FreeChat, credits: number): Promise<void> {
  await chat.memberWrites('Hello?');
  expect(await chat.advance()).toMatchObject({ kind: 'turn' });
  await new Turn(chat).take(costing(credits));
}

const query = (text: string, values: unknown[] = []) => queryOnce(suite.database.superuserUrl, text, values);

const rowsOf = (table: string, { workspaceId }: TestWorkspace) =>
  query(`select * from ${table} where workspace_id = $1 order by id`, [workspaceId]);

const stoppedState = {
  needsResponse: true,
  needsResponseReason: 'credit_budget',
  agentStoppedReason: 'credit_budget',
};

describe('the credit budget of a month', () => {
  it('stops the agent when it is used up, alerts a colleague, and lets the agent answer next month', async () => {
    const { chat } = await stage();
    await setBudget(chat, { monthlyCredits: 10 });
    await talk(chat, 10);

    await chat.memberWrites('Anyone?');
    const { monthEndsAt } = await getCreditBudget(chat.colleague);

    expect(await chat.advance()).toEqual({ kind: 'wait', until: monthEndsAt.getTime() });
    expect(await chat.chat()).toMatchObject(stoppedState);
    chat.clock.advance(monthEndsAt.getTime() - chat.clock.now().getTime() - 1);
    expect(await chat.advance()).toMatchObject({ kind: 'wait' });
    chat.clock.advance(1);
    expect(await chat.advance()).toMatchObject({ kind: 'turn' });
    await new Turn(chat).take(reply('Here I am.'));
    expect(await chat.chat()).toMatchObject({ needsResponse: false, agentStoppedReason: null });
  });

  it('has no effect where there is none, and where extra usage is enabled', async () => {
    const { chat } = await stage();
    await talk(chat, 1_000);
    await setBudget(chat, { monthlyCredits: 10, extraUsageEnabled: true });

    await talk(chat, 1_000);

    expect(await getCreditBudget(chat.colleague)).toMatchObject({
      creditsUsed: 2_000,
      creditsRemaining: -1_990,
    });
  });

  it('stops a turn between two calls of the model, which goes on when there are credits', async () => {
    const { chat } = await stage();
    await setBudget(chat, { monthlyCredits: 10 });
    await chat.memberWrites('Follow up with me');
    await chat.advance();
    const turn = new Turn(chat);
    const tools = call(['schedule_follow_up', { after: 'PT1H', instructions: 'Ask' }]);
    await turn.run({ ...tools, usage: costing(10).usage });

    expect(await turn.prepare()).toEqual({ kind: 'settled', result: { kind: 'nothing_to_say' } });

    expect(await chat.chat()).toMatchObject(stoppedState);
    await setBudget(chat, { monthlyCredits: 20 });
    expect(await chat.advance()).toMatchObject({ kind: 'turn' });
  });

  it('leaves a chat alone that a colleague has answered while the call was to begin', async () => {
    const { workspace, chat } = await stage();
    await talk(chat, 10);
    await chat.memberWrites('Anyone?');
    await setBudget(chat, { monthlyCredits: 10 });

    const prepared = await workspace.database.inWorkspace(workspace.workspaceId, async (tx) => {
      const { version } = await patchChat(tx, chat.chatId, { needsResponse: false });
      await patchChat(tx, chat.chatId, { handledVersion: version });
      const begins = new Turn(chat).prepare();
      await whenWaitedFor(tx);
      return { begins };
    });

    expect(await prepared.begins).toEqual({ kind: 'settled', result: { kind: 'nothing_to_say' } });
    expect(await chat.chat()).toMatchObject({ needsResponse: false, agentStoppedReason: null });
  });

  it.each([{ monthlyCredits: 20 }, { monthlyCredits: null }, { extraUsageEnabled: true }])(
    'wakes the chats that it has stopped when it allows more: %j',
    async (changes) => {
      const { workspace, chat } = await stage();
      await setBudget(chat, { monthlyCredits: 10 });
      await talk(chat, 10);
      await chat.memberWrites('Anyone?');
      await chat.advance();
      await emptyOutbox(suite.database);

      await setBudget(chat, changes);

      expect(await rowsOf('outbox', workspace)).toMatchObject([{ run_type: 'answerChat', action: 'poke' }]);
      expect(await chat.chat()).toMatchObject({ agentStoppedReason: null, needsResponse: true });
      expect(await chat.advance()).toMatchObject({ kind: 'turn' });
    },
  );

  it('leaves the chats as they are when the new budget is used up as well', async () => {
    const { workspace, chat } = await stage();
    await setBudget(chat, { monthlyCredits: 10 });
    await talk(chat, 30);
    await chat.memberWrites('Anyone?');
    await chat.advance();
    await emptyOutbox(suite.database);

    await setBudget(chat, { monthlyCredits: 30 });

    expect(await rowsOf('outbox', workspace)).toEqual([]);
    expect(await chat.chat()).toMatchObject(stoppedState);
  });

  it('wakes a hundred chats when it is raised, and the others by the reconciler', async () => {
    const { workspace, chat } = await stage();
    await setBudget(chat, { monthlyCredits: 10 });
    await query(
      `insert into chats (workspace_id, channel, chat_type, member_id, assistant_enabled, version,
         agent_stopped_reason, agent_stopped_until)
       select workspace_id, channel, chat_type, member_id, true, 1, 'credit_budget', now() + interval '9 days'
       from chats cross join generate_series(1, 150) where id = $1`,
      [chat.chatId],
    );
    await emptyOutbox(suite.database);

    await setBudget(chat, { monthlyCredits: 20 });
    const first = (await rowsOf('outbox', workspace)).length;
    const isLeft = await wakeStoppedChatsOf(chat.context, workspace.workspaceId);

    expect([first, isLeft]).toEqual([100, false]);
    expect(await rowsOf('outbox', workspace)).toHaveLength(150);
  });

  it('is raised while chats are being stopped: none stays stopped', async () => {
    const { workspace, chat } = await stage();
    await setBudget(chat, { monthlyCredits: 10 });
    await talk(chat, 10);
    const chats = await Promise.all(Array.from({ length: 8 }, () => stageFreeChat(workspace)));
    for (const one of chats) await one.memberWrites('Anyone?');

    await Promise.all([...chats.map((one) => one.advance()), setBudget(chat, { monthlyCredits: 20 })]);
    while (await wakeStoppedChatsOf(chat.context, workspace.workspaceId));

    for (const one of chats) expect(await one.advance()).toMatchObject({ kind: 'turn' });
  });

  it('is exceeded by no more calls than those that reserved the rest, of fifty that begin at once', async () => {
    const { workspace, chat } = await stage();
    const chats = await Promise.all(Array.from({ length: 50 }, () => stageFreeChat(workspace)));
    for (const one of chats) await one.memberWrites('Hello!');
    await chat.memberWrites('Hello!');
    await new Turn(chat).ask();
    const [{ credits }] = (await rowsOf('open_model_calls', workspace)) as [{ credits: number }];
    await query('delete from open_model_calls where workspace_id = $1', [workspace.workspaceId]);
    const fits = 10;
    await talk(chat, 10);
    await setBudget(chat, { monthlyCredits: 10 + credits * (fits - 0.5) });

    const prepared = await Promise.all(chats.map((one) => new Turn(one).prepare()));

    // Requests differ by a few characters.
    const asked = prepared.filter(({ kind }) => kind === 'ask').length;
    expect(asked).toBeGreaterThanOrEqual(fits - 1);
    expect(asked).toBeLessThanOrEqual(fits + 1);
    const states = await Promise.all(chats.map((one) => one.chat()));
    const stopped = states.filter(({ agentStoppedReason }) => agentStoppedReason === 'credit_budget');
    expect(stopped).toHaveLength(50 - asked);
    expect(stopped.every(({ version, handledVersion }) => version > handledVersion)).toBe(true);
  });

  it('begins and ends its months at midnight in the time zone of the workspace', async () => {
    const { chat } = await stage({ timezone: 'America/New_York' });
    const toMidnight = new Date('2031-12-01T05:00:00Z').getTime() - chat.clock.now().getTime();
    chat.clock.advance(toMidnight - 1);

    const november = await getCreditBudget(chat.colleague);
    chat.clock.advance(1);
    const december = await getCreditBudget(chat.colleague);

    // Daylight saving time ends in November.
    const ends = new Date('2031-12-01T05:00:00Z');
    expect(november).toMatchObject({
      month: '2031-11',
      monthStartsAt: new Date('2031-11-01T04:00:00Z'),
      monthEndsAt: ends,
    });
    expect(december).toMatchObject({ month: '2031-12', monthStartsAt: ends });
  });

  it('counts a call in the month in which its answer came', async () => {
    const { chat } = await stage();
    chat.clock.advance(new Date('2031-11-30T23:59:59Z').getTime() - chat.clock.now().getTime());
    await chat.memberWrites('Hello?');
    const turn = new Turn(chat);
    const asked = await turn.ask();
    chat.clock.advance(minutes(1));

    await turn.record(asked, costing(3));

    expect(await getCreditBudget(chat.colleague)).toMatchObject({ month: '2031-12', creditsUsed: 3 });
  });
});

describe('the warning that credits run out', () => {
  async function warned() {
    const staged = await stage();
    await proveEmail(staged.workspace, staged.workspace.admin.memberId);
    await addEventRule(staged.workspace, { eventType: 'credit_budget:reached' });
    await setBudget(staged.chat, { monthlyCredits: 100 });
    const told = async () => ({
      mails: (await rowsOf('event_rule_notices', staged.workspace)).map(({ reason }) => reason),
      events: (await rowsOf('events', staged.workspace))
        .filter(({ event_type }) => event_type === 'credit_budget:reached')
        .map(({ body }) => JSON.parse(body).creditBudget),
    });
    return { ...staged, told };
  }

  it('is given at 80 % and at 100 %, once a month each, by mail and by an event', async () => {
    const { chat, told } = await warned();
    await setBudget(chat, { extraUsageEnabled: true });
    await talk(chat, 79);
    expect(await told()).toEqual({ mails: [], events: [] });
    await talk(chat, 1);
    await talk(chat, 1);
    expect((await told()).mails).toEqual(['credits_low']);
    await talk(chat, 30);
    await setBudget(chat, { monthlyCredits: 1_000 });
    await talk(chat, 900);

    const { mails, events } = await told();
    expect(mails).toEqual(['credits_low', 'credits_used_up']);
    const { month } = await getCreditBudget(chat.colleague);
    const budget = { month, monthlyCredits: 100, extraUsageEnabled: true };
    expect(events).toEqual([
      { ...budget, state: 'low', creditsUsed: 80 },
      { ...budget, state: 'used_up', creditsUsed: 111 },
    ]);

    chat.clock.advance(days(31));
    await talk(chat, 950);
    expect((await told()).mails).toEqual(['credits_low', 'credits_used_up', 'credits_low']);
  });

  it('is given when the budget is lowered to what is used already, because no call follows', async () => {
    const { chat, workspace, told } = await warned();
    await setBudget(chat, { monthlyCredits: 1_000 });
    await talk(chat, 700);
    await emptyOutbox(suite.database);

    await Promise.all(Array.from({ length: 4 }, () => setBudget(chat, { monthlyCredits: 500 })));
    await setBudget(chat, { monthlyCredits: 400 });

    const { mails, events } = await told();
    expect(mails).toEqual(['credits_used_up']);
    expect(events).toMatchObject([{ state: 'used_up', monthlyCredits: 500, creditsUsed: 700 }]);
    expect(await rowsOf('outbox', workspace)).toMatchObject([
      { run_type: 'deliverWebhook' },
      { run_type: 'sendRuleNotice' },
    ]);
  });

  it('is given by a call that is booked while the budget is lowered', async () => {
    const { chat, workspace, told } = await warned();
    await setBudget(chat, { monthlyCredits: null });
    await talk(chat, 300);
    await chat.memberWrites('Hello');
    const turn = new Turn(chat);
    const asked = await turn.ask();
    const { month } = await getCreditBudget(chat.colleague);
    const by = { memberId: workspace.admin.memberId, now: chat.clock.now() };

    const booked = await workspace.database.inWorkspace(workspace.workspaceId, async (tx) => {
      await lockMonth(tx, month);
      const recorded = turn.record(asked, costing(300));
      await whenWaitedFor(tx);
      await saveCreditBudget(tx, { monthlyCredits: 500 }, by);
      return { recorded };
    });
    await booked.recorded;

    expect((await told()).mails).toEqual(['credits_used_up']);
  });

  it('is not given without a budget, whatever is used', async () => {
    const { chat, told } = await warned();
    await setBudget(chat, { monthlyCredits: null });
    await talk(chat, 900);
    await setBudget(chat, { extraUsageEnabled: true });
    expect(await told()).toEqual({ mails: [], events: [] });
  });

  it('is left out where one call uses all of the budget', async () => {
    const { chat, told } = await warned();
    await talk(chat, 100);
    expect((await told()).mails).toEqual(['credits_used_up']);
  });

  it('is given once by calls that are booked at the same time', async () => {
    const { chat, workspace, told } = await warned();
    const chats = await Promise.all(Array.from({ length: 6 }, () => stageFreeChat(workspace)));
    for (const one of chats) await one.memberWrites('Hello');
    const turns = chats.map((one) => new Turn(one));
    const asked = await Promise.all(turns.map((turn) => turn.ask()));

    await Promise.all(turns.map((turn, index) => turn.record(asked[index] as never, costing(15))));

    expect((await told()).mails).toEqual(['credits_low']);
    expect(await getCreditBudget(chat.colleague)).toMatchObject({ creditsUsed: 90 });
  });
});

describe('a call of the model whose answer is not kept', () => {
  const settle = async (chat: FreeChat, error: unknown, heard = 0) => {
    await chat.memberWrites('Hello?');
    const { callId } = await new Turn(chat).ask();
    const logger = { warn: () => {} } as never;
    await settleFailedCall(
      { ...chat.context, logger },
      { workspaceId: chat.workspaceId, callId, isSent: true },
      error,
      heard,
    );
    return callId;
  };

  it.each([
    ['that was cut off', new ModelBusy('incomplete_stream')],
    ['that timed out', new ModelBusy('timeout')],
    ['whose connection broke off', new ModelBusy('connection_lost')],
    ['that a gateway gave up', new ModelBusy('http_504')],
    ['whose gateway lost the answer', new ModelBusy('http_502')],
    ['that was filtered', new ModelRefused('content_filter', 200)],
    ['whose turn was cancelled', new Error('aborted')],
  ])('is booked with an estimate: one %s', async (_what, error) => {
    const { workspace, chat } = await stage();

    await settle(chat, error, 400);

    const [booked] = await rowsOf('token_usage', workspace);
    expect(booked).toMatchObject({ is_estimated: true, completion_tokens: 100 });
    expect(Number(booked?.prompt_tokens)).toBeGreaterThan(20);
    expect(await rowsOf('open_model_calls', workspace)).toEqual([]);
    const { credits } = await readTokenUsage(chat.colleague, chat.chatId);
    expect(await getCreditBudget(chat.colleague)).toMatchObject({ creditsUsed: credits });
  });

  it.each([
    ['the provider is busy', new ModelBusy('http_429')],
    ['no connection came about', new ModelBusy('connection')],
    ['the request is refused', new ModelRefused('context_length_exceeded', 400)],
    ['the account is unusable', new ModelUnusable('insufficient_quota', true)],
  ])('costs nothing if %s', async (_what, error) => {
    const { workspace, chat } = await stage();

    await settle(chat, error);

    expect(await rowsOf('token_usage', workspace)).toEqual([]);
    expect(await rowsOf('open_model_calls', workspace)).toEqual([]);
  });

  it('is booked once if its answer comes after all', async () => {
    const { workspace, chat } = await stage();
    const callId = await settle(chat, new ModelBusy('timeout'));

    await bookModelCall(chat.context, { workspaceId: chat.workspaceId, callId }, costing(5).usage);

    expect(await rowsOf('token_usage', workspace)).toHaveLength(1);
  });

  it('is booked by the reconciler if the process died, once, when no call can be under way any more', async () => {
    const { workspace, chat } = await stage();
    await chat.memberWrites('Hello?');
    await new Turn(chat).ask();
    await bookCrashedCalls(chat.context, workspace.workspaceId);
    expect(await rowsOf('token_usage', workspace)).toEqual([]);
    expect((await getCreditBudget(chat.colleague)).creditsReserved).toBeGreaterThan(0);

    chat.clock.advance(minutes(16));
    await Promise.all(Array.from({ length: 4 }, () => bookCrashedCalls(chat.context, workspace.workspaceId)));

    expect(await rowsOf('token_usage', workspace)).toMatchObject([{ is_estimated: true }]);
    expect(await getCreditBudget(chat.colleague)).toMatchObject({ creditsReserved: 0 });
  });

  it('is booked once if it is superseded', async () => {
    const { workspace, chat } = await stage();
    await chat.memberWrites('Hello?');
    const turn = new Turn(chat);
    const asked = await turn.ask();
    await chat.memberWrites('Hello again');

    expect(await turn.record(asked, costing(2))).toEqual({ kind: 'interrupted' });
    await turn.record(asked, costing(2));

    expect(await rowsOf('token_usage', workspace)).toMatchObject([{ credits: 2, is_estimated: false }]);
  });
});

describe('the sums of usage', () => {
  const total = (view: CreditBudgetView) => view.creditsUsed;
  const month = async (context: CommandContext) => total(await getCreditBudget(context));

  it('are those of all calls, by day, month, workflow, model and member', async () => {
    const { workspace, chat } = await stage();
    const other = await stageFreeChat(workspace, { member: workspace.admin });
    chat.clock.advance(new Date('2031-11-29T12:00:00Z').getTime() - chat.clock.now().getTime());
    other.clock.advance(new Date('2031-11-30T12:00:00Z').getTime() - other.clock.now().getTime());
    await talk(chat, 2);
    await talk(other, 3);
    await talk(chat, 4);
    const { colleague } = other;

    const range = { from: '2031-11-01', to: '2031-11-30' };
    const byDay = await readUsage(colleague, { ...range, groupBy: 'day' });
    const byModel = await readUsage(colleague, { ...range, groupBy: 'model' });
    const byWorkflow = await readUsage(colleague, { ...range, groupBy: 'workflow' });
    const members = await listUsageByMember(colleague, {
      page: 1,
      pageSize: 10,
      sortBy: 'credits',
      sortOrder: 'desc',
    });

    expect(byDay).toMatchObject({ timezone: 'UTC', total: { calls: 3, credits: 9, totalTokens: 9_000 } });
    expect(byDay.items).toMatchObject([
      { key: '2031-11-29', calls: 2, credits: 6 },
      { key: '2031-11-30', calls: 1, credits: 3 },
    ]);
    expect(byModel.items).toMatchObject([{ key: 'openai:chat:gpt-4.1-mini', calls: 3, credits: 9 }]);
    expect(byWorkflow.items).toMatchObject([{ key: null, calls: 3, credits: 9 }]);
    expect(members).toMatchObject({
      total: 2,
      items: [
        { memberId: workspace.member.memberId, calls: 2, credits: 6 },
        { memberId: workspace.admin.memberId, calls: 1, credits: 3 },
      ],
    });
    expect(await month(colleague)).toBe(9);
  });

  it('are not changed by a chat that is deleted', async () => {
    const { chat } = await stage();
    await talk(chat, 2);
    await query('delete from chats where id = $1', [chat.chatId]);

    expect(await month(chat.colleague)).toBe(2);
  });

  it('count a call of which nobody knows the price with the plain multipliers', async () => {
    const { workspace, chat } = await stage();
    await query(
      `insert into token_usage (workspace_id, chat_id, model_id, prompt_tokens, total_tokens, credits)
       values ($1, $2, 'gone:chat:model', 1000, 1000, 1)`,
      [workspace.workspaceId, chat.chatId],
    );

    expect(await readTokenUsage(chat.colleague, chat.chatId)).toMatchObject({
      credits: 1,
      audioInputTokens: 0,
      byModel: [{ modelId: 'gone:chat:model', multiplier: 1 }],
    });
  });

  it('leave out a call that never began', async () => {
    const { chat } = await stage();
    await bookModelCall(
      chat.context,
      { workspaceId: chat.workspaceId, callId: randomUUID() },
      costing(1).usage,
    );
    expect(await month(chat.colleague)).toBe(0);
  });
});
