import { describe, expect, it } from 'vitest';
import { saveCreditBudget } from '../../../../db/agent/credit-budgets.js';
import { usageOfChat } from '../../../../db/agent/token-usage.js';
import { patchCallBridge } from '../../../../db/calls/call-bridges.js';
import { findPhoneCall } from '../../../../db/calls/phone-calls.js';
import { insertMessage } from '../../../../db/conversations/messages.js';
import type { Tx } from '../../../../db/tx.js';
import { openCallBackend } from '../../../../domain/agent/voice/call-backend.js';
import { CallStates } from '../../../../domain/agent/voice/call-states.js';
import type { RevisionTask } from '../../../../domain/definitions/revision-rules/types.js';
import type { RelayBackend } from '../../../../media/relay/ports.js';
import { answeredCall } from '../../../support/calls/answered-call.js';
import { stageAssignment } from '../../../support/chats/staged-assignment.js';
import { addMember } from '../../../support/workspace/factories.js';
import { useWorkspace } from '../../../support/workspace/use-workspace.js';

const suite = useWorkspace();
const root: RevisionTask = {
  name: 'Ask',
  taskType: 'conversation',
  prompt: 'Ask "How are you?"',
  abilities: [{ abilityType: 'handoff' }, { abilityType: 'conclude' }],
  children: [{ name: 'Next', taskType: 'conversation', prompt: 'Ask "And the dog?"' }],
};
const inside = <T>(work: (tx: Tx) => Promise<T>): Promise<T> =>
  suite.workspace.database.inWorkspace(suite.workspace.workspaceId, work);

async function stage() {
  const { workspace } = suite;
  const member = await addMember(workspace, { role: workspace.roles.member });
  const staged = await stageAssignment(workspace, root, { member });
  await staged.advance();
  const { chatId, context, clock } = staged;
  const call = await answeredCall(workspace, { chatId });
  const [bridge] = await call.bridges();
  await inside((tx) => patchCallBridge(tx, bridge?.id ?? 0, { beganAt: clock.now() }));
  const { workspaceId } = workspace;
  const ref = { workspaceId, chatId, callId: call.callId, attempt: 1, recordingUuid: null };
  const sendRequest = async () => {
    throw new Error('no tool of this suite sends a request');
  };
  const backend: RelayBackend = openCallBackend(
    { ...context, sendRequest, callStates: new CallStates(context.db) },
    ref,
  );
  const row = async () => inside((tx) => findPhoneCall(tx, call.callId));
  return { ...call, staged, backend, row };
}

async function asked(backend: RelayBackend) {
  const request = await backend.ask();
  if (request === undefined || request === 'no_model') throw new Error(`no request: ${request}`);
  return request;
}

const said = { itemId: 'u1', by: 'caller', text: 'Fine', startMs: 1_000, endMs: 1_800 } as const;
const usage = { promptTokens: 2_000, completionTokens: 500, cachedTokens: 0, totalTokens: 2_500 };

describe('a call by text', () => {
  it('begins with a greeting, and is over for an attempt that is', async () => {
    const { backend, finish } = await stage();
    expect(await backend.openRelay()).toEqual({
      conduct: { silenceMs: 12_000, silencePrompts: 2, fillerMs: 1_500 },
      firstWords: expect.stringContaining('has just answered'),
      news: expect.objectContaining({ isCurrent: true }),
    });
    await finish();
    expect(await backend.openRelay()).toBeUndefined();
    expect(await backend.ask()).toBeUndefined();
  });

  it('asks a chat model with the instructions and tools of the text agent, and what was heard', async () => {
    const { backend, chatId, callId } = await stage();
    await backend.openRelay();
    await inside((tx) =>
      insertMessage(tx, { chatId, role: 'assistant', author: 'workflow', content: 'Open daily.', callId }),
    );
    const cut = { whole: 'How are you today?', reason: 'interrupted', atMs: 400 } as const;
    await backend.store({ ...said, itemId: 'a1', by: 'agent', text: 'How are', cut });
    await backend.store(said);
    const { messages, tools, model } = await asked(backend);
    expect(model).not.toContain(':');
    expect(messages[0]).toMatchObject({
      role: 'system',
      content: expect.stringContaining('This is a phone call'),
    });
    expect(messages.slice(1)).toEqual([
      { role: 'assistant', content: 'How are' },
      { role: 'user', content: 'Fine' },
    ]);
    expect(tools.map(({ name }) => name)).toContain('select_task');
  });

  it('has the results of tools in the history, and goes on in the next task', async () => {
    const { backend, staged } = await stage();
    await backend.openRelay();
    const { tools } = await asked(backend);
    const { properties } = tools.find(({ name }) => name === 'select_task')?.parameters ?? {};
    const { task } = properties as { task: { enum: string[] } };
    const input = JSON.stringify({ task: task.enum[0] });
    await backend.runTools('answer_1', [{ callId: 'c1', name: 'select_task', arguments: input }]);
    expect(await staged.currentTask()).toBe('Next');
    const { messages } = await asked(backend);
    expect(messages[0]?.content).toContain('## Current task: Next');
    expect(messages.at(-1)).toMatchObject({ role: 'tool', content: expect.stringContaining('"ok":true') });
  });

  it('knows what was written, so that it is answered by what the agent says next', async () => {
    const { backend, staged } = await stage();
    await backend.openRelay();
    await staged.memberWrites('I am late');
    const { messages } = await asked(backend);
    expect(messages.at(-1)).toEqual({ role: 'user', content: 'I am late' });
    await backend.store({ ...said, itemId: 'a1', by: 'agent', text: 'No problem' });
    const { version, handledVersion } = await staged.chat();
    expect(handledVersion).toBe(version);
  });
});

describe('what an answer in a call by text costs', () => {
  it('is booked once, and added to the call', async () => {
    const { backend, chatId, row } = await stage();
    const { bookingId } = await asked(backend);
    await backend.bookAnswer(bookingId, usage);
    await backend.bookAnswer(bookingId, usage);
    const [booked, ...others] = await inside((tx) => usageOfChat(tx, chatId));
    expect(others).toEqual([]);
    expect(booked).toMatchObject({ promptTokens: 2_000, completionTokens: 500 });
    expect((await row())?.credits).toBe(booked?.credits);
  });

  it('is estimated where the answer was given up, and nothing where the model has not worked', async () => {
    const { backend, chatId, row } = await stage();
    await backend.bookLostAnswer((await asked(backend)).bookingId, undefined);
    expect(await inside((tx) => usageOfChat(tx, chatId))).toEqual([]);
    await backend.bookLostAnswer((await asked(backend)).bookingId, 40);
    const [booked] = await inside((tx) => usageOfChat(tx, chatId));
    expect(booked).toMatchObject({ completionTokens: 10 });
    expect(booked?.promptTokens).toBeGreaterThan(100);
    expect((await row())?.credits).toBe(booked?.credits);
  });

  it('is not incurred once the credits of the month are used up, and a colleague is alerted', async () => {
    const { backend, staged } = await stage();
    await backend.openRelay();
    const limit = (monthlyCredits: number | null) => {
      const by = { memberId: suite.workspace.admin.memberId, now: staged.clock.now() };
      return inside((tx) => saveCreditBudget(tx, { monthlyCredits }, by));
    };
    await backend.bookAnswer((await asked(backend)).bookingId, usage);
    await limit(1);
    expect(await backend.ask()).toBe('no_model');
    expect((await staged.chat()).agentStoppedReason).toBe('credit_budget');
    expect((await backend.look()).ending).toBe('hang_up');
    await limit(null);
  });
});
