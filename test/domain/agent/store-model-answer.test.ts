import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { TokenUsageModel } from '../../../db/agent/models/token-usage.js';
import { selectOpenDeliveries } from '../../../db/channels/deliveries.js';
import { abandonTurn } from '../../../domain/agent/abandon-turn.js';
import { prepareRound } from '../../../domain/agent/prepare-round.js';
import { recordAnswer } from '../../../domain/agent/store-model-answer.js';
import { advanceAssignmentIn } from '../../../domain/assignments/advance-assignment.js';
import { cancelAssignment } from '../../../domain/assignments/cancel-assignment.js';
import { selectTask } from '../../../domain/assignments/select-task.js';
import { optOutOfSms } from '../../../domain/channels/outreach/opt-outs.js';
import { readTokenUsage } from '../../../domain/conversations/chats/read-token-usage.js';
import { type UpdateChat, updateChat } from '../../../domain/conversations/chats/update-chat.js';
import type { RevisionTask } from '../../../domain/definitions/revision-rules/types.js';
import { type StagedAssignment, stageAssignment } from '../../support/chats/staged-assignment.js';
import { catalogueWith } from '../../support/lib/models.js';
import { addMember } from '../../support/workspace/factories.js';
import { useWorkspace } from '../../support/workspace/use-workspace.js';
import { call, reply, Turn } from './take-round.js';

const suite = useWorkspace();
const root: RevisionTask = {
  name: 'Ask',
  taskType: 'conversation',
  prompt: 'Ask how it went.',
  children: [
    { name: 'Good', taskType: 'conclude' },
    { name: 'More', taskType: 'conversation', prompt: 'Ask more.', abilities: [{ abilityType: 'conclude' }] },
  ],
};
const stage = (options = {}) => stageAssignment(suite.workspace, root, options);

const spoken = async (staged: StagedAssignment) =>
  (await staged.messages()).filter(({ role }) => role === 'assistant').map(({ content }) => content);
const usageRows = (staged: StagedAssignment) =>
  suite.workspace.database.inWorkspace(staged.workspaceId, async (tx) =>
    TokenUsageModel.query(tx).where({ chat_id: staged.chatId }),
  );

describe('the answer of a turn', () => {
  it('is stored with its token usage, and the chat counts as answered', async () => {
    const staged = await stage();
    const asked = await new Turn(staged).ask();
    expect(asked.messages[0]).toMatchObject({ role: 'system' });
    expect(asked.tools.map(({ name }) => name)).toContain('select_task');
    const turn = new Turn(staged);

    expect(await turn.take(reply(' How did it go? '))).toEqual({ kind: 'replied' });

    const chat = await staged.chat();
    expect(chat.handledVersion).toBe(chat.version);
    expect(await staged.messages()).toMatchObject([
      {
        role: 'assistant',
        author: 'agent',
        content: 'How did it go?',
        turnUuid: turn.ref.turnUuid,
        turnRound: 1,
        tokenUsage: { totalTokens: 120, model: 'openai:chat:gpt-4.1-mini', credits: 0.18 },
      },
    ]);
    expect(await usageRows(staged)).toMatchObject([
      { totalTokens: 120, modelId: 'openai:chat:gpt-4.1-mini' },
    ]);
    expect(await staged.advance()).toMatchObject({ kind: 'wait', state: 'waits for the member' });
  });

  it('comes with the next step of the run, which sees that the turn was taken', async () => {
    const staged = await stage();
    const turn = new Turn(staged);
    const asked = await turn.ask();

    const result = await recordAnswer(staged.context, turn.ref, asked, reply('How did it go?'), (tx, now) =>
      advanceAssignmentIn(staged.context, tx, staged.assignmentId, now),
    );

    expect(result).toMatchObject({ kind: 'replied', next: { kind: 'wait', state: 'waits for the member' } });
    expect(await staged.advance()).toEqual(result.kind === 'replied' && result.next);
  });

  it('is stored and booked where the next step fails, which is left to the run', async () => {
    const staged = await stage();
    const turn = new Turn(staged);
    const asked = await turn.ask();
    const failing = () => Promise.reject(new Error('the step fails'));

    expect(await recordAnswer(staged.context, turn.ref, asked, reply('How did it go?'), failing)).toEqual({
      kind: 'replied',
    });

    expect(await spoken(staged)).toEqual(['How did it go?']);
    expect(await usageRows(staged)).toHaveLength(1);
  });

  it('is booked where it cannot be stored', async () => {
    const staged = await stage();
    const turn = new Turn(staged);
    const asked = { ...(await turn.ask()), taskId: -1 };

    await expect(turn.record(asked, reply('Of no task'))).rejects.toMatchObject({ code: '23503' });

    expect(await spoken(staged)).toEqual([]);
    expect(await usageRows(staged)).toHaveLength(1);
  });

  it('is requested with the newest messages that fit, and always with the newest one', async () => {
    const staged = await stage();
    for (let place = 1; place <= 6; place += 1) await staged.memberWrites(`${place} ${'x'.repeat(100_000)}`);

    const { messages } = await new Turn(staged).ask();

    const [, ...history] = messages;
    expect(history.map(({ content }) => String(content)[0])).toEqual(['3', '4', '5', '6']);
    expect(Buffer.byteLength(JSON.stringify(history))).toBeLessThan(270_000);
  });

  it('is queued for delivery in several parts when it is a long SMS', async () => {
    const staged = await stage({ channel: 'phone-sms' });
    const long = `${'word '.repeat(400)}end`;

    await new Turn(staged).take(reply(long));

    const open = await suite.workspace.database.inWorkspace(staged.workspaceId, (tx) =>
      selectOpenDeliveries(tx, staged.chatId),
    );
    const parts = await spoken(staged);
    expect(open).toHaveLength(2);
    expect(parts.join(' ')).toBe(long);
  });

  it('is noted in the timeline where it can reach nobody', async () => {
    const { workspace } = suite;
    const member = await addMember(workspace, { role: workspace.roles.member });
    const staged = await stage({ channel: 'phone-sms', member });
    const turn = new Turn(staged);
    const asked = await turn.ask();
    const { phone } = member.row;
    const stop = { phone: phone ?? '', sender: '+12025550100', source: 'keyword', now: new Date() } as const;
    await workspace.within((tx) => optOutOfSms(tx, stop));

    await turn.record(asked, reply('Too late'));

    const entries = await workspace.within((tx) =>
      tx('assignment_timeline_entries')
        .where({ chat_id: staged.chatId, kind: 'delivery' })
        .select('code', 'reason'),
    );
    expect(entries).toEqual([{ code: 'failed', reason: 'opted_out' }]);
  });

  it('is stored once when it is recorded repeatedly', async () => {
    const staged = await stage();
    const turn = new Turn(staged);
    const asked = await turn.ask();

    const once = reply('Once');
    expect(await turn.record(asked, once)).toEqual({ kind: 'replied' });
    expect(await turn.record(asked, once)).toEqual({ kind: 'replied' });

    expect(await spoken(staged)).toEqual(['Once']);
    expect(await usageRows(staged)).toHaveLength(1);
  });

  it('is charged although another attempt was faster or the chat no longer needs it', async () => {
    const staged = await stage();
    const turn = new Turn(staged);
    const asked = await turn.ask();
    const askedAgain = await turn.askAgain();

    await turn.record(asked, reply('Once'));
    await turn.record(askedAgain, reply('Twice'));
    await staged.memberWrites('And now?');
    const late = new Turn(staged);
    const askedLate = await late.ask();
    await staged.operatorWrites('I take over');
    await late.record(askedLate, reply('Too late'));

    expect(await spoken(staged)).toEqual(['Once', 'I take over']);
    expect(await usageRows(staged)).toHaveLength(3);
  });

  it('is returned when its round is prepared again', async () => {
    const staged = await stage();
    const turn = new Turn(staged);
    const { toolCallIds } = await turn.run(call(['complete_task', {}]));
    const before = turn.ref;

    expect(await prepareRound(staged.context, before)).toEqual({
      kind: 'settled',
      result: { kind: 'tools', toolCallIds, toolNames: ['complete_task'] },
    });
  });

  it('tells its run no name of a tool that the model has made up', async () => {
    const staged = await stage();

    const result = await new Turn(staged).take(call(['read_data', {}], ['Robin Sample, born 1980', {}]));

    expect(result).toMatchObject({ kind: 'tools', toolNames: ['read_data', 'unknown_tool'] });
  });

  it('alerts a colleague when it is empty', async () => {
    const staged = await stage();

    expect(await new Turn(staged).take(reply('  '))).toEqual({ kind: 'nothing_to_say' });

    expect(await staged.chat()).toMatchObject({ needsResponse: true, needsResponseReason: 'no_reply' });
    expect(await spoken(staged)).toEqual([]);
  });

  it('clears needsResponse of the chat', async () => {
    const staged = await stage();
    const { version: chatVersion } = await staged.chat();
    await abandonTurn(staged.context, { ...staged, chatVersion, reason: 'no_model' });
    expect(await staged.chat()).toMatchObject({ needsResponse: true, needsResponseReason: 'no_model' });

    await staged.memberWrites('Hello?');
    await new Turn(staged).take(reply('Yes?'));

    expect(await staged.chat()).toMatchObject({ needsResponse: false, needsResponseReason: null });
  });
});

describe('the price of an answer', () => {
  const answer = {
    ...reply('Hello'),
    usage: { promptTokens: 1_000, completionTokens: 100, cachedTokens: 400, totalTokens: 1_100 },
  };
  const modelId = 'openai:chat:gpt-4.1';

  it('follows the multipliers of the requested model, with a separate one for cached tokens', async () => {
    const staged = await stage({ assistantChatModelId: modelId, member: suite.workspace.admin });

    await new Turn(staged).take(answer);

    // (600 × 1 + 400 × 0.25 + 100 × 4) / 1000 × 5
    const multipliers = { multiplier: 5, inputMultiplier: 1, outputMultiplier: 4, cachedMultiplier: 0.25 };
    expect(await usageRows(staged)).toMatchObject([{ modelId, credits: 5.5, ...multipliers }]);
    expect((await staged.messages())[0]?.tokenUsage).toMatchObject({ model: modelId, credits: 5.5 });
  });

  it('stays unchanged when the catalogue changes', async () => {
    const staged = await stage({ assistantChatModelId: modelId, member: suite.workspace.admin });
    await new Turn(staged).take(answer);
    await staged.memberWrites('And now?');
    staged.context.models = catalogueWith({ models: [{ id: modelId, multiplier: 10 }] });

    await new Turn(staged).take(answer);

    expect(await readTokenUsage(staged.context, staged.chatId)).toMatchObject({
      promptTokens: 2_000,
      completionTokens: 200,
      cachedTokens: 800,
      totalTokens: 2_200,
      audioInputTokens: 0,
      audioOutputTokens: 0,
      credits: 16.5,
      byModel: [
        expect.objectContaining({ modelId, multiplier: 5, credits: 5.5, totalTokens: 1_100 }),
        expect.objectContaining({ modelId, multiplier: 10, credits: 11, totalTokens: 1_100 }),
      ],
    });
  });
});

describe('an answer that is superseded', () => {
  const change = (staged: StagedAssignment, changes: UpdateChat) =>
    updateChat(staged.context, staged.chatId, changes);
  const select = async ({ context, workspaceId, assignmentId, task }: StagedAssignment) =>
    selectTask(context, {
      workspaceId,
      assignmentId,
      assignmentTaskId: (await task('More')).id,
      requestUuid: randomUUID(),
      actorMemberId: suite.workspace.admin.memberId,
      byOperator: true,
    });
  const pauseAndResume = async (staged: StagedAssignment) => {
    await change(staged, { paused: true });
    await change(staged, { paused: false });
  };
  const overtaking: [string, (staged: StagedAssignment) => Promise<unknown>, string][] = [
    ['by a message of the member', (staged) => staged.memberWrites('Wait'), 'interrupted'],
    ['by a colleague, who has the chat', (staged) => staged.operatorWrites('I do it'), 'nothing_to_say'],
    ['by a select', select, 'interrupted'],
    ['by a cancel', (staged) => cancelAssignment(staged.context, staged), 'nothing_to_say'],
    ['by a pause', (staged) => change(staged, { paused: true }), 'nothing_to_say'],
    ['by archiving', (staged) => change(staged, { archived: true }), 'nothing_to_say'],
    ['by a pause that is over already', pauseAndResume, 'interrupted'],
  ];

  it.each(overtaking)('is dropped but charged (%s)', async (_what, overtake, kind) => {
    const staged = await stage();
    const turn = new Turn(staged);
    const asked = await turn.ask();
    await overtake(staged);
    const before = await spoken(staged);

    expect(await turn.record(asked, reply('Too late'))).toEqual({ kind });

    expect(await spoken(staged)).toEqual(before);
    expect(await usageRows(staged)).toHaveLength(1);
  });

  it('is followed by an answer that includes the new message', async () => {
    const staged = await stage();
    const turn = new Turn(staged);
    const asked = await turn.ask();
    await staged.memberWrites('It went well');
    await turn.record(asked, reply('How did it go?'));

    const again = await turn.ask();

    expect(again.messages.at(-1)).toEqual({ role: 'user', content: 'It went well' });
    expect(await turn.record(again, reply('Good to hear'))).toEqual({ kind: 'replied' });
    expect(await spoken(staged)).toEqual(['Good to hear']);
  });

  it('runs none of its tool calls', async () => {
    const staged = await stage();
    const turn = new Turn(staged);
    const asked = await turn.ask();
    await staged.memberWrites('Wait');

    expect(await turn.record(asked, call(['complete_task', {}]))).toEqual({ kind: 'interrupted' });
    expect(await staged.messages()).toHaveLength(1);
  });
});

it('recordAnswer drops tool calls in a round that has to answer with text', async () => {
  const staged = await stage();
  const turn = new Turn(staged);
  const asked = await turn.ask();
  const ref = { ...turn.ref, mustAnswer: true };

  const result = await recordAnswer(staged.context, ref, asked, call(['conclude', { outcome: 'won' }]));

  expect(result).toEqual({ kind: 'nothing_to_say' });
  expect((await staged.chat()).needsResponse).toBe(true);
});

it('abandonTurn marks the chat as handled up to the version at the start of the turn, and no further', async () => {
  const staged = await stage();
  const { version: chatVersion } = await staged.chat();
  await staged.memberWrites('And another thing');

  await abandonTurn(staged.context, { ...staged, chatVersion });

  expect(await staged.chat()).toMatchObject({
    needsResponse: true,
    needsResponseReason: 'turn_failed',
    handledVersion: chatVersion,
  });
  expect(await staged.advance()).toMatchObject({ kind: 'turn' });
});

describe('prepareRound', () => {
  it('returns nothing_to_say when no message is new', async () => {
    const staged = await stage();
    await new Turn(staged).take(reply('How did it go?'));

    expect(await new Turn(staged).prepare()).toEqual({
      kind: 'settled',
      result: { kind: 'nothing_to_say' },
    });
  });

  it('returns nothing_to_say for an assignment that is not the active one of the chat', async () => {
    const staged = await stage();
    const other = await stage();

    const turn = new Turn({ ...staged, assignmentId: other.assignmentId });

    expect(await turn.prepare()).toMatchObject({ result: { kind: 'nothing_to_say' } });
  });
});
