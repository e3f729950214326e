import { describe, expect, it } from 'vitest';
import { usageOfChat } from '../../../../db/agent/token-usage.js';
import { patchCallBridge } from '../../../../db/calls/call-bridges.js';
import { findPhoneCall, type PhoneCallRow, patchPhoneCall } from '../../../../db/calls/phone-calls.js';
import { insertMessage } from '../../../../db/conversations/messages.js';
import type { Tx } from '../../../../db/tx.js';
import { type CallBackendContext, openCallBackend } from '../../../../domain/agent/voice/call-backend.js';
import { CallStates } from '../../../../domain/agent/voice/call-states.js';
import { updateChat } from '../../../../domain/conversations/chats/update-chat.js';
import {
  maxSummariesAnHour,
  prepareSummary,
} from '../../../../domain/conversations/summaries/write-summary.js';
import type { RevisionTask } from '../../../../domain/definitions/revision-rules/types.js';
import { holdWorkflowDefinition } from '../../../../domain/definitions/workflow-definitions/hold-workflow-definition.js';
import { defaultAgentBudgets } from '../../../../domain/kernel/agent-budgets.js';
import { createDataType } from '../../../../domain/records/data-types/create-data-type.js';
import type { CallBackend, CallOpening } from '../../../../media/bridge/ports.js';
import type { RelayBackend } from '../../../../media/relay/ports.js';
import { type AnsweredCall, answeredCall } from '../../../support/calls/answered-call.js';
import { pokesOf } from '../../../support/chats/pokes-of.js';
import { type StagedAssignment, stageAssignment } from '../../../support/chats/staged-assignment.js';
import { statementsOf } from '../../../support/db/statements-of.js';
import { recordsOfMember } from '../../../support/records/records-of-member.js';
import { addMember, randomTag } from '../../../support/workspace/factories.js';
import { useWorkspace } from '../../../support/workspace/use-workspace.js';

const suite = useWorkspace();
const root: RevisionTask = {
  name: 'Ask',
  taskType: 'conversation',
  prompt: 'Ask "How are you?"',
  abilities: [{ abilityType: 'handoff' }, { abilityType: 'conclude' }],
  children: [{ name: 'Next', taskType: 'conversation', prompt: 'Ask "And the dog?"' }],
};

interface StagedCall extends AnsweredCall {
  staged: StagedAssignment;
  /** The backend of the latest attempt, whose stream has begun. */
  backend: CallBackend;
  row(): Promise<PhoneCallRow>;
  /** The handler has answered again, and the next stream has begun. */
  begin(): Promise<CallBackend>;
}

const inside = <T>(work: (tx: Tx) => Promise<T>): Promise<T> =>
  suite.workspace.database.inWorkspace(suite.workspace.workspaceId, work);

async function stage(rootTask = root): Promise<StagedCall> {
  const { workspace } = suite;
  const member = await addMember(workspace, { role: workspace.roles.member });
  const staged = await stageAssignment(workspace, rootTask, { member });
  await staged.advance();
  const { chatId, context } = staged;
  const call = await answeredCall(workspace, { chatId });
  const { callId } = call;
  const backendOf = (attempt: number): CallBackend => {
    const ref = {
      workspaceId: workspace.workspaceId,
      chatId,
      callId,
      attempt,
      recordingUuid: '7b1f4c1e-7d0f-4a53-8c7d-0e4b9a3d2c11',
    };
    const sendRequest: CallBackendContext['sendRequest'] = async () => {
      throw new Error('no tool of this suite sends a request');
    };
    return openCallBackend({ ...context, sendRequest, callStates: new CallStates(context.db) }, ref);
  };
  const began = async (attempt: number) => {
    const bridge = (await call.bridges()).find((one) => one.attempt === attempt);
    await inside((tx) => patchCallBridge(tx, bridge?.id ?? 0, { beganAt: staged.clock.now() }));
    return backendOf(attempt);
  };
  return {
    ...call,
    staged,
    backend: await began(1),
    begin: async () => began(await call.nextAttempt()),
    row: async () => {
      const row = await inside((tx) => findPhoneCall(tx, callId));
      if (row === undefined) throw new Error('the call is gone');
      return row;
    },
  };
}

async function opened(backend: CallBackend) {
  const opening = await backend.open();
  if (typeof opening === 'string') throw new Error(`no session: ${opening}`);
  return opening;
}

const said = { itemId: 'item_1', by: 'caller', text: 'Fine', startMs: 1_000, endMs: 1_800 } as const;
const toolCall = (name: string, input: object) => ({
  callId: `call_${randomTag()}`,
  name,
  arguments: JSON.stringify(input),
});
/** A call that takes the only choice. */
function choice({ settings }: CallOpening) {
  const { properties } = settings.tools.find(({ name }) => name === 'select_task')?.parameters ?? {};
  const { task } = properties as { task: { enum: string[] } };
  return toolCall('select_task', { task: task.enum[0] });
}

const outputOf = ({ outputs }: { outputs: readonly { output: string }[] }, place = 0) =>
  JSON.parse(outputs[place]?.output ?? 'null');

describe('opting out on the phone', () => {
  const proofs = () => inside((tx) => tx('opt_out_proofs').orderBy('id', 'desc').limit(1));
  const optOut = toolCall('opt_out', { channel: 'calls', words: 'Do not call me again' });

  it('is offered in every session, and the agent confirms it', async () => {
    const { backend, staged } = await stage();
    expect((await opened(backend)).settings.tools.map(({ name }) => name)).toContain('opt_out');
    const answers = await backend.runTools('resp_1', [optOut]);
    expect(outputOf(answers)).toMatchObject({ ok: true, note: expect.stringContaining('Tell them') });
    expect(await proofs()).toMatchObject([
      { channel: 'calls', source: 'agent', heard_on: 'phone-voice', words: 'Do not call me again' },
    ]);
    expect(await staged.chat()).toMatchObject({ needsResponseReason: 'opted_out' });
  });

  it('holds where the caller has hung up on it, and nothing else is run then', async () => {
    const { backend, row, staged } = await stage();
    await opened(backend);
    const { id } = await row();
    await inside((tx) => patchPhoneCall(tx, id, { finishedAt: new Date(), updatedAt: new Date() }));
    const answers = await backend.runTools('resp_1', [toolCall('handoff', { reason: 'x' }), optOut]);
    expect(outputOf(answers)).toMatchObject({ ok: false, error: 'tool_not_available' });
    expect(outputOf(answers, 1)).toMatchObject({ ok: true });
    expect(await proofs()).toMatchObject([{ channel: 'calls', member_id: (await staged.chat()).memberId }]);
  });
});

describe('what a session begins with', () => {
  it('has the greeting of the number that was called, until something was said, and none of one that calls', async () => {
    const { backend, row, begin } = await stage();
    const { phoneNumberId, id } = await row();
    const greeting = 'Welcome to {{ phone_number.name }}.';
    await inside(async (tx) => {
      await tx('phone_numbers').where({ id: phoneNumberId }).update({ greeting, name: 'Front desk' });
    });
    expect(await opened(backend)).not.toHaveProperty('greeting');
    await inside((tx) => patchPhoneCall(tx, id, { inbound: true, updatedAt: new Date() }));
    expect((await opened(backend)).greeting).toBe('Welcome to Front desk.');
    expect((await (backend as unknown as RelayBackend).openRelay())?.greeting).toBe('Welcome to Front desk.');
    await backend.store({ ...said, by: 'agent' });
    expect(await opened(await begin())).not.toHaveProperty('greeting');
  });

  it('has the instructions and tools of the text agent, for the phone', async () => {
    const { backend } = await stage();
    const { settings, firstWords, news, conduct } = await opened(backend);
    expect(settings.instructions).toContain('## Current task: Ask');
    expect(settings.instructions).toContain('This is a phone call');
    expect(settings.instructions).toContain('You have called the member.');
    expect(settings.tools.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['handoff', 'conclude', 'select_task']),
    );
    expect(settings).toMatchObject({
      voice: 'marin',
      turnDetection: { kind: 'server_vad' },
      noiseReduction: 'near_field',
    });
    expect(firstWords).toContain('has just answered');
    expect(conduct).toEqual({ silenceMs: 12_000, silencePrompts: 2, fillerMs: 1_500 });
    expect(news).toEqual({ isCurrent: true, standsBy: false });
  });

  it('listens as the task says in which the stream begins, in calls by text as well', async () => {
    const { backend } = await stage({
      ...root,
      realtimeModelConfig: {
        turn_detection: 'semantic_vad',
        eagerness: 'low',
        noise_reduction: 'none',
        idle_seconds: 30,
      },
    });
    const { settings, conduct } = await opened(backend);
    expect(settings).toMatchObject({
      voice: 'marin',
      turnDetection: { kind: 'semantic_vad', eagerness: 'low' },
      noiseReduction: null,
    });
    expect(conduct.silenceMs).toBe(30_000);
    expect((await (backend as unknown as RelayBackend).openRelay())?.conduct.silenceMs).toBe(30_000);
  });

  it('has what was said and written before, and calls of tools as notes', async () => {
    const { backend, staged, begin } = await stage();
    await staged.memberWrites('Hello by text');
    const first = await opened(backend);
    await backend.store({ ...said, by: 'agent', text: 'How are you?' });
    await backend.runTools('resp_1', [choice(first)]);
    const next = await opened(await begin());
    const { history } = next.settings;
    expect(history).toContainEqual({ role: 'user', text: 'Hello by text' });
    expect(history).toContainEqual({ role: 'assistant', text: 'How are you?' });
    expect(history.some(({ text }) => text.startsWith('You have called select_task'))).toBe(true);
    expect(next.firstWords).toContain('interrupted');
  });

  it('leaves out what is still to be spoken, which it is given to say', async () => {
    const { backend, chatId, callId } = await stage();
    const { id } = await inside((tx) =>
      insertMessage(tx, { chatId, role: 'assistant', author: 'workflow', content: 'Open daily.', callId }),
    );
    const { settings, news } = await opened(backend);
    expect(settings.history.map(({ text }) => text)).not.toContain('Open daily.');
    expect(news.toSay).toEqual([{ messageId: id, text: 'Open daily.' }]);
  });

  it('is none for a call that is over, or an attempt that a later one has replaced', async () => {
    const { backend, begin, finish } = await stage();
    const next = await begin();
    expect(await backend.open()).toBe('over');
    expect(await backend.look()).toEqual({ isCurrent: false });
    await finish();
    expect(await next.open()).toBe('over');
  });

  it('is not replaced by an attempt that was asked for and has not begun', async () => {
    const { backend, nextAttempt } = await stage();
    await nextAttempt();
    expect(typeof (await backend.open())).toBe('object');
  });
});

describe('what is said', () => {
  it('becomes a message of the chat once, with its times and its recording', async () => {
    const { backend, staged, callId } = await stage();
    await Promise.all([backend.store(said), backend.store(said)]);
    const messages = (await staged.messages()).filter((message) => message.callId === callId);
    expect(messages).toMatchObject([
      {
        role: 'user',
        author: 'member',
        content: 'Fine',
        audioMetadata: { phoneCallId: callId, startMs: 1_000, endMs: 1_800 },
        audioFileUuid: '7b1f4c1e-7d0f-4a53-8c7d-0e4b9a3d2c11',
        truncationReason: null,
      },
    ]);
  });

  it('belongs to the task in which the agent stands, which is read without the tree', async () => {
    const { backend, staged } = await stage();
    const calls = [choice(await opened(backend))];
    const first = await statementsOf(() => backend.store(said));
    await backend.runTools('resp_1', calls);
    await backend.store({ ...said, itemId: 'item_2' });
    expect(first.filter((text) => text.includes('workflow_task'))).toEqual([]);
    const tasks = await Promise.all(['Ask', 'Next'].map((name) => staged.task(name)));
    const heard = (await staged.messages()).filter(({ content }) => content === said.text);
    expect(heard.map(({ taskId }) => taskId)).toEqual(tasks.map(({ taskId }) => taskId));
  });

  it('has what was heard of words that were cut off', async () => {
    const { backend, staged } = await stage();
    const cut = { whole: 'How are you today?', reason: 'interrupted', atMs: 400 } as const;
    await backend.store({ ...said, by: 'agent', text: 'How are', cut });
    expect((await staged.messages()).at(-1)).toMatchObject({
      role: 'assistant',
      author: 'agent',
      content: 'How are',
      originalContent: 'How are you today?',
      truncationReason: 'interrupted',
      truncatedAtMs: 400,
    });
  });

  it('is due an answer, and answered by what the agent says next', async () => {
    const { backend, staged } = await stage();
    const isDue = async () => {
      const { version, handledVersion } = await staged.chat();
      return version > handledVersion;
    };
    await backend.store(said);
    expect(await isDue()).toBe(true);
    await backend.store({ ...said, itemId: 'item_2', by: 'agent', text: 'Good' });
    expect(await isDue()).toBe(false);
  });

  it('does not answer what was written meanwhile and the agent does not know', async () => {
    const { backend, staged } = await stage();
    await opened(backend);
    await staged.memberWrites('By text');
    await backend.store({ ...said, by: 'agent', text: 'Goodbye' });
    const { version, handledVersion } = await staged.chat();
    expect(version).toBeGreaterThan(handledVersion);
    await backend.look();
    await backend.store({ ...said, itemId: 'item_2', by: 'agent', text: 'I have read it' });
    expect((await staged.chat()).handledVersion).toBe((await staged.chat()).version);
  });

  it('is stored after the end of the call, but not by an attempt that was replaced', async () => {
    const { backend, begin, finish, staged } = await stage();
    const next = await begin();
    await finish();
    await backend.store(said);
    await next.store({ ...said, text: 'Last words' });
    const texts = (await staged.messages()).map(({ content }) => content);
    expect(texts).toContain('Last words');
    expect(texts).not.toContain('Fine');
  });
});

describe('tools on the phone', () => {
  it('are run once, have an output each, and lead to new instructions', async () => {
    const { backend, staged } = await stage();
    const calls = [choice(await opened(backend)), toolCall('no_such_tool', {})];
    const answers = await backend.runTools('resp_1', calls);
    expect(answers.outputs.map(({ callId }) => callId)).toEqual(calls.map(({ callId }) => callId));
    expect(outputOf(answers)).toMatchObject({ ok: true });
    expect(outputOf(answers, 1)).toMatchObject({ ok: false });
    expect(answers.news.instructions?.instructions).toContain('## Current task: Next');
    expect(await staged.currentTask()).toBe('Next');
    const again = await backend.runTools('resp_1', calls);
    expect(again.outputs).toEqual(answers.outputs);
    expect((await staged.messages()).filter(({ toolCalls }) => toolCalls.length > 0)).toHaveLength(1);
  });

  it('have an output although there are more than one answer may have', async () => {
    const { backend } = await stage();
    const calls = Array.from({ length: 20 }, () => toolCall('no_such_tool', {}));
    const { outputs } = await backend.runTools('resp_1', calls);
    expect(outputs).toHaveLength(20);
  });

  it('are not run for a call that is over', async () => {
    const { backend, finish, staged } = await stage();
    await finish();
    const answers = await backend.runTools('resp_1', [toolCall('complete_task', {})]);
    expect(outputOf(answers)).toMatchObject({ ok: false });
    expect(answers.news).toEqual({ isCurrent: false });
    expect(await staged.currentTask()).toBe('Ask');
  });

  it('that conclude the assignment end the call, as the agent, and the run that waits for the call', async () => {
    const { backend, row, staged } = await stage();
    await opened(backend);
    const before = await pokesOf(suite.workspace, staged);
    const answers = await backend.runTools('resp_1', [toolCall('conclude', { outcome: 'done' })]);
    expect(answers.news.ending).toBe('hang_up');
    expect((await row()).endedBy).toBe('agent');
    expect(await pokesOf(suite.workspace, staged)).toBe(before + 1);
  });

  it('that hand over end the phone call', async () => {
    const { backend, row } = await stage();
    await opened(backend);
    const answers = await backend.runTools('resp_1', [toolCall('handoff', { reason: 'asked' })]);
    expect(answers.news.ending).toBe('hang_up');
    expect((await row()).endedBy).toBe('handoff');
  });
});

describe('news of a call', () => {
  it('are told once: what is written meanwhile, as data', async () => {
    const { backend, staged } = await stage();
    await opened(backend);
    await staged.memberWrites('I am late');
    const news = await backend.look();
    expect(news.notes).toEqual([expect.stringContaining('The member has written meanwhile: I am late')]);
    expect((await backend.look()).notes).toBeUndefined();
  });

  it('are none while nothing has changed', async () => {
    const { backend } = await stage();
    await opened(backend);
    await backend.look();
    expect(await backend.look()).toEqual({ isCurrent: true, standsBy: false });
  });

  it('say that a colleague has taken over', async () => {
    const { backend, staged, row } = await stage();
    await opened(backend);
    await updateChat(suite.workspace.context(suite.workspace.admin, staged.clock), staged.chatId, {
      paused: true,
    });
    expect((await backend.look()).ending).toBe('hang_up');
    expect((await row()).endedBy).toBe('handoff');
  });

  it('say that the call is to be transferred', async () => {
    const { backend, callId } = await stage();
    await opened(backend);
    await inside((tx) => patchPhoneCall(tx, callId, { endedBy: 'transfer', updatedAt: new Date() }));
    expect((await backend.look()).ending).toBe('transfer');
  });

  const waiting = (duration: string) => ({
    ...root,
    children: [
      {
        name: 'Later',
        taskType: 'wait' as const,
        configuration: { for: duration },
        children: [{ name: 'After', taskType: 'conversation' as const, prompt: 'Ask.' }],
      },
    ],
  });

  it('let the agent stand by in a task in which it does not speak, for twenty seconds at most', async () => {
    const { backend, staged, row } = await stage(waiting('PT19S'));
    const answers = await backend.runTools('resp_1', [choice(await opened(backend))]);
    expect(await staged.currentTask()).toBe('Later');
    expect(answers.news.standsBy).toBe(true);
    staged.clock.advance(19_000);
    expect(await backend.look()).toMatchObject({ standsBy: true });
    staged.clock.advance(1_000);
    expect((await backend.look()).ending).toBe('hang_up');
    expect((await row()).endedBy).toBe('agent');
  });

  it('end the call at once for a longer wait, which goes on without it', async () => {
    const { backend, staged, row } = await stage(waiting('PT10M'));
    const answers = await backend.runTools('resp_1', [choice(await opened(backend))]);
    expect(answers.news.ending).toBe('hang_up');
    expect((await row()).endedBy).toBe('agent');
    expect(await staged.currentTask()).toBe('Later');
  });

  it('end the call when its workflow is held, and a colleague is alerted', async () => {
    const { backend, staged, row } = await stage();
    await opened(backend);
    await backend.look();
    const { definitionId } = await staged.chat();
    await holdWorkflowDefinition(suite.workspace.context(suite.workspace.admin), definitionId ?? 0, null);
    expect((await backend.look()).ending).toBe('hang_up');
    expect((await row()).endedBy).toBe('handoff');
    expect(await staged.chat()).toMatchObject({ needsResponse: true, needsResponseReason: 'workflow_held' });
  });

  it('say that the agent has ended the call by itself', async () => {
    const { backend, row } = await stage();
    await backend.endCall();
    expect((await row()).endedBy).toBe('agent');
  });
});

describe('a message that was spoken', () => {
  it('has its times once, and is not to be spoken any more', async () => {
    const { backend, chatId, callId, staged } = await stage();
    const { id } = await inside((tx) =>
      insertMessage(tx, { chatId, role: 'assistant', author: 'workflow', content: 'Open daily.', callId }),
    );
    await opened(backend);
    const heard = { text: 'open daily', startMs: 0, endMs: 900 };
    const news = await backend.played(id, heard);
    expect(news.toSay).toBeUndefined();
    await backend.played(id, { ...heard, endMs: 1 });
    expect((await staged.messages()).find((message) => message.id === id)).toMatchObject({
      content: 'Open daily.',
      originalContent: null,
      audioMetadata: { phoneCallId: callId, startMs: 0, endMs: 900 },
    });
  });

  it('ends the run that waits for the call, if nothing is left after it', async () => {
    const farewell = {
      name: 'Bye',
      taskType: 'message',
      configuration: { text: 'Goodbye.' },
      autoNext: true,
    };
    const { backend, staged } = await stage({ ...root, children: [farewell] });
    const { news } = await backend.runTools('resp_1', [choice(await opened(backend))]);
    const before = await pokesOf(suite.workspace, staged);
    const heard = { text: 'Goodbye.', startMs: 0, endMs: 900 };
    await backend.played(news.toSay?.[0]?.messageId ?? 0, heard);
    expect(await staged.assignment()).toMatchObject({ status: 'completed' });
    expect(await pokesOf(suite.workspace, staged)).toBe(before + 1);
  });

  it('has what was heard of it, if it was interrupted', async () => {
    const { backend, chatId, callId, staged } = await stage();
    const { id } = await inside((tx) =>
      insertMessage(tx, { chatId, role: 'assistant', author: 'workflow', content: 'Open daily.', callId }),
    );
    const cut = { whole: 'Open daily.', reason: 'interrupted', atMs: 300 } as const;
    await backend.played(id, { text: 'Open', startMs: 0, endMs: 300, cut });
    expect((await staged.messages()).find((message) => message.id === id)).toMatchObject({
      content: 'Open',
      originalContent: 'Open daily.',
      truncatedAtMs: 300,
    });
  });

  it('of another call is left alone', async () => {
    const { backend, staged } = await stage();
    const { id } = await staged.memberWrites('Hello');
    await backend.played(id, { text: 'Hello', startMs: 0, endMs: 300 });
    expect((await staged.messages()).find((message) => message.id === id)?.audioMetadata).toBeNull();
  });
});

describe('keys', () => {
  async function collecting(fieldType: string, more: Partial<RevisionTask> = {}) {
    const slug = `secret_${randomTag()}`;
    const admin = suite.workspace.context(suite.workspace.admin);
    await createDataType(admin, {
      name: slug,
      slug,
      isCollection: false,
      fields: [{ slug: 'pin', name: 'PIN', fieldType, required: true, sensitive: true, max: 9_999 }],
    });
    const call = await stage({
      ...root,
      taskType: 'collect',
      configuration: { dataTypeSlug: slug, fieldSlugs: ['pin'] },
      ...more,
    });
    return { call };
  }

  it('enter a sensitive field, whose value is stored in the record alone', async () => {
    const { call } = await collecting('integer');
    const { news, settings } = await opened(call.backend);
    expect(news.keysFor).toBe('pin');
    expect(settings.instructions).toContain('by the keys of the phone');
    const taken = await call.backend.takeKeys('pin', '4711');
    expect(taken.told).not.toContain('4711');
    expect(taken.news.keysFor).toBeUndefined();
    const { memberId } = await call.staged.chat();
    const records = await inside((tx) => recordsOfMember(tx, memberId));
    expect(JSON.stringify(records)).toContain('4711');
    expect(JSON.stringify(await call.staged.messages())).not.toContain('4711');
  });

  it('that complete the assignment end the run that waits for the call', async () => {
    const { call } = await collecting('integer', { autoNext: true, children: [] });
    await opened(call.backend);
    const before = await pokesOf(suite.workspace, call.staged);
    const { news } = await call.backend.takeKeys('pin', '4711');
    expect(news.ending).toBe('hang_up');
    expect(await call.staged.assignment()).toMatchObject({ status: 'completed' });
    // By the record, before it is known what that leads to, and by the end.
    expect(await pokesOf(suite.workspace, call.staged)).toBe(before + 2);
  });

  it.each(['', '99999'])('%j that do not fit are refused without being quoted', async (digits) => {
    const { call } = await collecting('integer');
    await opened(call.backend);
    const { told, news } = await call.backend.takeKeys('pin', digits);
    expect(told).toContain('does not fit');
    if (digits !== '') expect(told).not.toContain(digits);
    expect(news.keysFor).toBe('pin');
  });

  it('for a field that is not asked for are not stored', async () => {
    const { backend } = await stage();
    await opened(backend);
    expect((await backend.takeKeys('pin', '4711')).told).toContain('not expected');
  });
});

describe('what a call costs', () => {
  const usage = { promptTokens: 2_000, completionTokens: 500, cachedTokens: 0, totalTokens: 2_500 };

  it('is booked once by the response, and added to the call', async () => {
    const { backend, chatId, row } = await stage();
    await opened(backend);
    const response = { responseId: 'resp_1', ...usage, audioInputTokens: 900, audioOutputTokens: 400 };
    await backend.bookResponse(response);
    await backend.bookResponse(response);
    const [booked, ...others] = await inside((tx) => usageOfChat(tx, chatId));
    expect(others).toEqual([]);
    expect(booked).toMatchObject({
      modelId: expect.stringContaining(':realtime:'),
      audioInputTokens: 900,
      audioOutputTokens: 400,
    });
    const { credits } = await row();
    expect(credits).toBeGreaterThan(0);
    expect(booked?.credits).toBeCloseTo(credits, 6);
  });

  it('is an estimate for a response whose end nobody has reported, unless it was booked', async () => {
    const { backend, chatId } = await stage();
    await opened(backend);
    await backend.bookResponse({ responseId: 'resp_1', ...usage });
    for (const responseId of ['resp_1', 'resp_2']) {
      await backend.bookResponse({ responseId, ...usage, isEstimated: true });
    }
    const booked = await inside((tx) =>
      tx('token_usage').select('is_estimated').where({ chat_id: chatId }).orderBy('id'),
    );
    expect(booked).toEqual([{ is_estimated: false }, { is_estimated: true }]);
  });

  it('includes transcriptions, by tokens or by seconds', async () => {
    const { backend, chatId, row } = await stage();
    await opened(backend);
    await backend.bookTranscription('item_1', { seconds: 30 });
    const afterSeconds = (await row()).credits;
    await backend.bookTranscription('item_2', { tokens: { ...usage, audioInputTokens: 300 } });
    expect(afterSeconds).toBeGreaterThan(0);
    expect((await row()).credits).toBeCloseTo(2 * afterSeconds, 6);
    const booked = await inside((tx) => usageOfChat(tx, chatId));
    expect(booked).toEqual([expect.objectContaining({ speechSeconds: 60 })]);
  });

  it('leaves the summary of the call to be written, however much was said', async () => {
    const { backend, chatId, staged, row } = await stage();
    await opened(backend);
    await backend.store(said);
    for (let place = 0; place < maxSummariesAnHour; place += 1) {
      await backend.bookResponse({ responseId: `resp_${place}`, ...usage });
    }
    // An hour of talk reads itself again with each response.
    const totalTokens = defaultAgentBudgets.chatTokensPerDay;
    await backend.bookResponse({ responseId: 'resp_last', ...usage, totalTokens });
    const { workspaceId, uuid: requestUuid } = await row();
    const ref = { workspaceId, chatId, requestUuid, updateLabels: false };
    expect(await prepareSummary(staged.context, ref)).toMatchObject({ kind: 'ask' });
  });

  it('is booked although another attempt has replaced the one that it was made in', async () => {
    const { backend, begin, row } = await stage();
    await opened(backend);
    await begin();
    await backend.bookResponse({ responseId: 'resp_1', ...usage });
    expect((await row()).credits).toBeGreaterThan(0);
  });
});
