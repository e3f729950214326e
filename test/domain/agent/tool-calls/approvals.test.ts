import { describe, expect, it } from 'vitest';
import { type ChatChanges, lockChat, patchChat } from '../../../../db/conversations/chats.js';
import { findToolCallMessage } from '../../../../db/conversations/messages.js';
import { findApprovalOfCall, patchApproval } from '../../../../db/conversations/tool-approvals.js';
import type { Tx } from '../../../../db/tx.js';
import { abandonTurn } from '../../../../domain/agent/abandon-turn.js';
import { cancelAssignment } from '../../../../domain/assignments/cancel-assignment.js';
import { clearStandingAlert } from '../../../../domain/assignments/machine/leave-task.js';
import { lockMachine } from '../../../../domain/assignments/machine/machine.js';
import { storeToolResult } from '../../../../domain/chat-state/approvals.js';
import { advanceChat } from '../../../../domain/conversations/chats/advance-chat.js';
import { claimChat } from '../../../../domain/conversations/chats/claim-chat.js';
import {
  type DecideInterrupt,
  decideInterrupt,
} from '../../../../domain/conversations/chats/decide-interrupt.js';
import { getChat } from '../../../../domain/conversations/chats/get-chat.js';
import { interruptOf } from '../../../../domain/conversations/chats/interrupt.js';
import { takeMailboxMessage } from '../../../../domain/conversations/chats/take-message.js';
import { updateChat } from '../../../../domain/conversations/chats/update-chat.js';
import type { RevisionTask } from '../../../../domain/definitions/revision-rules/types.js';
import { holdWorkflowDefinition } from '../../../../domain/definitions/workflow-definitions/hold-workflow-definition.js';
import { resumeWorkflowDefinition } from '../../../../domain/definitions/workflow-definitions/resume-workflow-definition.js';
import { setMemberEnabled } from '../../../../domain/people/members/set-member-enabled.js';
import { type StagedAssignment, stageAssignment } from '../../../support/chats/staged-assignment.js';
import { hours } from '../../../support/lib/moved-clock.js';
import { actorOf, addMember, type TestMember, uniquePhone } from '../../../support/workspace/factories.js';
import { useWorkspace } from '../../../support/workspace/use-workspace.js';
import { call, reply, runToolCall, Turn, toolResult } from '../take-round.js';

const suite = useWorkspace();
const talk: RevisionTask = {
  name: 'Talk',
  taskType: 'conversation',
  prompt: 'Talk.',
  abilities: [
    { abilityType: 'send_sms', config: { requiresApproval: true } },
    { abilityType: 'conclude', config: { requiresApproval: true } },
    { abilityType: 'schedule_follow_up' },
    { abilityType: 'handoff' },
  ],
  children: [{ name: 'Other', taskType: 'conversation', prompt: 'Other.' }],
};
const sms: [string, object] = ['send_sms', { text: 'Your visit is cancelled' }];

/** A turn whose calls have been run; the first of them waits. */
async function stage(...calls: [string, object][]) {
  return stageFor(await addMember(suite.workspace, { values: { phone: uniquePhone() } }), ...calls);
}

async function stageFor(member: TestMember, ...calls: [string, object][]) {
  const staged = await stageAssignment(suite.workspace, talk, { channel: 'phone-sms', member });
  await staged.memberWrites('Cancel my visit');
  const { toolCallIds, endsTurn } = await new Turn(staged).run(call(sms, ...calls));
  const [toolCallId = ''] = toolCallIds;
  const admin = suite.workspace.context(suite.workspace.admin, staged.clock);
  return { staged, toolCallIds, toolCallId, endsTurn, admin, interruptId: await idOf(staged) };
}
type Waiting = Awaited<ReturnType<typeof stage>>;

const admin = () => suite.workspace.context(suite.workspace.admin);
const view = async ({ chatId }: StagedAssignment) => getChat(admin(), chatId);
async function idOf(staged: StagedAssignment): Promise<string> {
  const chat = await view(staged);
  return interruptOf(chat, chat.waitingCall, true)?.id ?? '';
}
const decide = ({ admin: by, staged, interruptId }: Waiting, more: Partial<DecideInterrupt> = {}) =>
  decideInterrupt(by, staged.chatId, { interruptId, decision: 'approve', ...more });
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error) => error.code,
  );
const sent = async ({ messages }: StagedAssignment) =>
  (await messages()).filter(({ content }) => content === 'Your visit is cancelled').length;
const stateOf = async ({ staged, toolCallId }: Waiting) =>
  (
    await suite.workspace.database.inWorkspace(staged.workspaceId, (tx) =>
      findApprovalOfCall(tx, staged.chatId, toolCallId),
    )
  )?.state;

/** The turn that the decision made due: it runs the approved call. @returns whether there was one */
async function runApproved({ staged }: Waiting): Promise<boolean> {
  expect((await staged.advance()).kind).toBe('turn');
  const prepared = await new Turn(staged).prepare();
  if (prepared.kind !== 'settled' || prepared.result.kind !== 'tools') return false;
  for (const id of prepared.result.toolCallIds) await runToolCall(staged, id);
  return true;
}

describe('a tool call that needs approval', () => {
  it('waits: it is not run, the turn ends, and a colleague is alerted', async () => {
    const waiting = await stage();
    const { staged } = waiting;

    expect(waiting.endsTurn).toBe(true);
    expect(await sent(staged)).toBe(0);
    expect(await staged.chat()).toMatchObject({ needsResponse: true, needsResponseReason: 'approval' });
    const chat = await view(staged);
    expect(interruptOf(chat, chat.waitingCall, true)).toMatchObject({
      kind: 'tool_call',
      toolCall: { name: 'send_sms', arguments: JSON.stringify(sms[1]) },
    });
    expect(interruptOf(chat, chat.waitingCall, false)).toMatchObject({ toolCall: undefined });
    const step = await staged.advance();
    expect(step).toMatchObject({ kind: 'wait', until: staged.clock.now().getTime() + hours(72) });
  });

  it('is not asked for twice if its activity is repeated', async () => {
    const waiting = await stage();
    expect(await runToolCall(waiting.staged, waiting.toolCallId)).toMatchObject({ endsTurn: true });
    expect(await idOf(waiting.staged)).toBe(waiting.interruptId);
  });

  it('keeps later calls of the same answer from being run', async () => {
    const waiting = await stage(['schedule_follow_up', { after: 'P1D', instructions: 'Ask' }]);
    expect(await toolResult(waiting.staged, waiting.toolCallIds[1] ?? '')).toEqual({
      ok: false,
      error: 'approval_pending',
    });
  });

  it('is refused at once if its arguments do not fit', async () => {
    const staged = await stageAssignment(suite.workspace, talk);
    await staged.memberWrites('Hello');
    const { toolCallIds, endsTurn } = await new Turn(staged).run(call(['send_sms', { words: 'x' }]));
    expect(endsTurn).toBe(false);
    expect(await toolResult(staged, toolCallIds[0] ?? '')).toMatchObject({ error: 'invalid_arguments' });
  });

  it('stays while the agent answers the member, who is told nothing of its arguments', async () => {
    const waiting = await stage();
    const { staged } = waiting;
    await staged.memberWrites('Is it done?');
    const turn = new Turn(staged);
    const asked = await turn.ask();
    expect(JSON.stringify(asked.messages)).toContain('approval_pending');
    await turn.record(asked, reply('A colleague has to agree.'));

    expect(await staged.chat()).toMatchObject({ needsResponse: true, needsResponseReason: 'approval' });
    await decide(waiting);
    expect(await runApproved(waiting)).toBe(true);
    expect(await sent(staged)).toBe(1);
  });

  it('stays when a change of data opens a way on and no task is left', async () => {
    const waiting = await stage();
    const { workspaceId, chatId } = waiting.staged;
    await suite.workspace.database.inWorkspace(workspaceId, (tx) =>
      tx('chats').where({ id: chatId }).update({ standing_reason: 'no_choice_holds' }),
    );
    await waiting.staged.advance();
    expect(await waiting.staged.chat()).toMatchObject({
      standingReason: null,
      needsResponseReason: 'approval',
    });
    expect(await stateOf(waiting)).toBe('waiting');
  });

  it('keeps another call that needs approval from being asked for', async () => {
    const { staged } = await stage();
    await staged.memberWrites('And end it');
    const { toolCallIds, endsTurn } = await new Turn(staged).run(call(['conclude', { outcome: 'done' }]));
    expect(endsTurn).toBe(false);
    expect(await toolResult(staged, toolCallIds[0] ?? '')).toEqual({ ok: false, error: 'approval_pending' });
  });
});

describe('the decision', () => {
  it('has an approved call run once with its arguments, and the agent goes on', async () => {
    const waiting = await stage();
    const { staged } = waiting;
    const decided = await decide(waiting);
    expect(decided).toMatchObject({ needsResponse: false, waitingCall: undefined });

    const turn = new Turn(staged);
    const prepared = await turn.prepare();
    expect(prepared).toMatchObject({ result: { kind: 'tools', toolCallIds: [waiting.toolCallId] } });
    const outcomes = await Promise.all([1, 2, 3].map(() => runToolCall(staged, waiting.toolCallId)));
    expect(outcomes).toMatchObject([{ endsTurn: false }, { endsTurn: false }, { endsTurn: false }]);
    expect(await sent(staged)).toBe(1);
    expect(await stateOf(waiting)).toBe('run');
    const asked = await turn.ask();
    const result = asked.messages.find((message) => message.role === 'tool');
    expect(result).toMatchObject({ content: '{"ok":true}' });
    await turn.record(asked, reply('It is done.'));
    expect((await staged.advance()).kind).toBe('wait');
  });

  it('tells the agent of a rejected call, with the comment as data', async () => {
    const waiting = await stage();
    await decide(waiting, { decision: 'reject', comment: 'Ask for the day first.' });
    expect((await waiting.staged.advance()).kind).toBe('turn');
    const asked = await new Turn(waiting.staged).ask();
    expect(asked.messages.find(({ role }) => role === 'tool')).toMatchObject({
      content: '{"ok":false,"error":"approval_rejected","comment":"Ask for the day first."}',
    });
    expect(await sent(waiting.staged)).toBe(0);
  });

  it('has one effect if it is given twice, also at once', async () => {
    const waiting = await stage();
    const { staged } = waiting;
    const before = (await staged.chat()).version;
    const results = await Promise.all([1, 2, 3, 4, 5].map(() => codeOf(decide(waiting))));
    expect(results).toEqual(['done', 'done', 'done', 'done', 'done']);
    expect((await staged.chat()).version).toBe(before + 1);
    expect(await codeOf(decide(waiting, { decision: 'reject' }))).toBe('interrupt_over');
    expect(await runApproved(waiting)).toBe(true);
    expect(await codeOf(decide(waiting))).toBe('done');
    expect((await staged.chat()).version).toBe(before + 1);
  });

  it('is one of two that contradict each other', async () => {
    const waiting = await stage();
    const results = await Promise.all([
      codeOf(decide(waiting)),
      codeOf(decide(waiting, { decision: 'reject' })),
    ]);
    expect(results.sort()).toEqual(['done', 'interrupt_over']);
  });

  it('that ends the assignment needs no further answer', async () => {
    const staged = await stageAssignment(suite.workspace, talk);
    await staged.memberWrites('End it');
    await new Turn(staged).run(call(['conclude', { outcome: 'ended' }]));
    const waiting = { staged, interruptId: await idOf(staged), admin: admin() } as Waiting;
    await decide(waiting);
    expect(await runApproved(waiting)).toBe(true);
    expect(await staged.assignment()).toMatchObject({ status: 'completed', outcome: 'ended' });
    const chat = await staged.chat();
    expect(chat.handledVersion).toBe(chat.version);
  });

  it('drops an answer in progress, so that the next one knows of it', async () => {
    const waiting = await stage();
    const { staged } = waiting;
    await staged.memberWrites('Hello?');
    const turn = new Turn(staged);
    const asked = await turn.ask();
    await decide(waiting);
    expect(await turn.record(asked, reply('Please wait.'))).toEqual({ kind: 'interrupted' });
    expect(await turn.prepare()).toMatchObject({
      result: { kind: 'tools', toolCallIds: [waiting.toolCallId] },
    });
  });

  it('is not another’s while a colleague has claimed the chat', async () => {
    const waiting = await stage();
    const other = await addMember(suite.workspace, { role: suite.workspace.roles.admin });
    const by = suite.workspace.context(other);
    await claimChat(by, waiting.staged.chatId, { minutes: 5 });
    for (const decision of ['approve', 'reject'] as const) {
      expect(await codeOf(decide(waiting, { decision }))).toBe('claimed_by_another');
    }
    expect(await stateOf(waiting)).toBe('waiting');
    expect(await codeOf(decide({ ...waiting, admin: by }))).toBe('done');
    expect(await codeOf(decide(waiting))).toBe('done');
  });

  it('is for colleagues with chats:admin', async () => {
    const waiting = await stage();
    const other = await addMember(suite.workspace, { role: suite.workspace.roles.member });
    const by = suite.workspace.context(other);
    expect(await codeOf(decide({ ...waiting, admin: by }))).toBe('forbidden');
    expect(await codeOf(decide({ ...waiting, admin: waiting.staged.context }))).toBe('forbidden');
  });

  it('comes too late when the message with the call was deleted', async () => {
    for (const decision of ['approve', 'reject'] as const) {
      const waiting = await stage();
      await deleteMessage(waiting);
      expect(await codeOf(decide(waiting, { decision }))).toBe('interrupt_over');
    }
  });

  it('comes after what the agent has answered since, for the model', async () => {
    const waiting = await stage();
    await waiting.staged.memberWrites('Is it done?');
    await new Turn(waiting.staged).take(reply('A colleague has to agree.'));
    await decide(waiting);
    await runApproved(waiting);
    const { messages } = await new Turn(waiting.staged).ask();
    expect(JSON.stringify(messages)).toMatch(/has to agree.*The call of the tool send_sms was approved/);
  });

  it('is about the interrupt that was seen, of this chat only', async () => {
    const waiting = await stage();
    const other = await stage();
    expect(await codeOf(decide(waiting, { interruptId: other.interruptId }))).toBe('interrupt_over');
    expect(await codeOf(decide(waiting, { interruptId: 'handoff-1' }))).toBe('interrupt_over');
    expect(await sent(other.staged)).toBe(0);
  });
});

/** As the end of the retention time does. */
async function deleteMessage({ staged, toolCallId }: Waiting): Promise<void> {
  const { database } = suite.workspace;
  await database.inWorkspace(staged.workspaceId, async (tx) => {
    const message = await findToolCallMessage(tx, staged.chatId, toolCallId);
    await tx('messages').where({ id: message?.id }).delete();
  });
}

/** A colleague, who is not known, sends to the member past the service. */
async function answerFromMailbox({ workspaceId, chatId, clock }: StagedAssignment): Promise<void> {
  await suite.workspace.database.inWorkspace(workspaceId, async (tx) => {
    const chat = await lockChat(tx, chatId);
    if (chat === undefined) throw new Error('no chat');
    await takeMailboxMessage(tx, chat, { content: 'I have called you.', email: {}, files: [] }, clock.now());
  });
}

describe('a call that waits is withdrawn', () => {
  const withdrawn = async (waiting: Waiting) => {
    expect(await stateOf(waiting)).toBe('withdrawn');
    expect(await codeOf(decide(waiting))).toBe('interrupt_over');
    expect(await toolResult(waiting.staged, waiting.toolCallId)).toEqual({ ok: false, error: 'overtaken' });
    expect(await sent(waiting.staged)).toBe(0);
  };

  it('when a colleague takes the chat over, by a pause or a message', async () => {
    const waiting = await stage();
    await updateChat(waiting.admin, waiting.staged.chatId, { paused: true });
    await withdrawn(waiting);
    const second = await stage();
    await second.staged.operatorWrites('I will look.');
    await withdrawn(second);
    expect(await second.staged.chat()).toMatchObject({ needsResponse: false });
  });

  it('when a colleague answers from the mailbox, also after its approval', async () => {
    for (const isApproved of [false, true]) {
      const waiting = await stage();
      const { staged } = waiting;
      if (isApproved) await decide(waiting);
      await answerFromMailbox(staged);
      expect(await staged.chat()).toMatchObject({ paused: true, needsResponse: false, approvalId: null });
      await updateChat(waiting.admin, staged.chatId, { paused: false });
      await staged.memberWrites('Thank you');
      expect(await new Turn(staged).prepare()).toMatchObject({ kind: 'ask' });
      expect(await toolResult(staged, waiting.toolCallId)).toEqual({ ok: false, error: 'overtaken' });
      expect(await stateOf(waiting)).toBe('withdrawn');
    }
  });

  it('when the assignment is cancelled', async () => {
    const waiting = await stage();
    const { context, workspaceId, assignmentId } = waiting.staged;
    await cancelAssignment(context, { workspaceId, assignmentId });
    await withdrawn(waiting);
    // The member's message has no answer.
    expect(await waiting.staged.chat()).toMatchObject({ needsResponseReason: 'agent_silent' });
  });

  it('by the member, whose message then still waits for a person', async () => {
    const waiting = await stage();
    await updateChat(waiting.staged.context, waiting.staged.chatId, { paused: true });
    await withdrawn(waiting);
    expect(await waiting.staged.chat()).toMatchObject({
      needsResponse: true,
      needsResponseReason: 'agent_silent',
    });
  });

  it('when it is approved and its turn fails for good', async () => {
    const waiting = await stage();
    const { staged } = waiting;
    await decide(waiting);
    const { workspaceId, chatId, context } = staged;
    await abandonTurn(context, { workspaceId, chatId, chatVersion: (await staged.chat()).version });
    expect(await stateOf(waiting)).toBe('withdrawn');
    await staged.memberWrites('Hello?');
    await new Turn(staged).ask();
  });

  it('after its approval as well, until it is run', async () => {
    const waiting = await stage();
    await decide(waiting);
    await updateChat(waiting.admin, waiting.staged.chatId, { paused: true });
    expect(await stateOf(waiting)).toBe('withdrawn');
    await runToolCall(waiting.staged, waiting.toolCallId);
    expect(await sent(waiting.staged)).toBe(0);
  });

  it('or decided, if both happen at once', async () => {
    const waiting = await stage();
    const [decided] = await Promise.all([
      codeOf(decide(waiting)),
      updateChat(waiting.admin, waiting.staged.chatId, { paused: true }),
    ]);
    expect(['done', 'interrupt_over', 'agent_not_active']).toContain(decided);
    expect(await stateOf(waiting)).toBe('withdrawn');
    expect(await sent(waiting.staged)).toBe(0);
  });
});

describe('an approved call', () => {
  it.each(['waiting', 'withdrawn', 'rejected', 'expired'] as const)(
    'is never one whose row is %s, although it has no result',
    async (state) => {
      const waiting = await stage();
      const { staged, toolCallId } = waiting;
      await suite.workspace.database.inWorkspace(staged.workspaceId, async (tx) => {
        const approval = await findApprovalOfCall(tx, staged.chatId, toolCallId);
        await patchApproval(tx, approval?.id ?? 0, { state });
        await patchChat(tx, staged.chatId, { approvalId: null });
      });
      await runToolCall(staged, toolCallId);
      expect(await sent(staged)).toBe(0);
      expect(await toolResult(staged, toolCallId)).toEqual({ ok: false, error: 'overtaken' });
    },
  );

  it('leaves a message that came before the decision to be answered', async () => {
    const staged = await stageAssignment(suite.workspace, talk);
    await staged.memberWrites('End it');
    await new Turn(staged).run(call(['conclude', { outcome: 'ended' }]));
    const waiting = { staged, interruptId: await idOf(staged), admin: admin() } as Waiting;
    await staged.memberWrites('One more question');
    await decide(waiting);
    expect(await runApproved(waiting)).toBe(true);
    const chat = await staged.chat();
    expect(chat.version).toBeGreaterThan(chat.handledVersion);
    const { context, workspaceId, chatId } = staged;
    expect(await advanceChat(context, { workspaceId, chatId })).toMatchObject({ kind: 'turn' });
  });

  it('is run although the member cannot be reached', async () => {
    const waiting = await stage();
    const { workspaceId } = waiting.staged;
    const { memberId } = await waiting.staged.chat();
    await suite.workspace.database.inWorkspace(workspaceId, (tx) =>
      tx('members').where({ id: memberId }).update({ notify_sms: false }),
    );
    await decide(waiting);
    expect((await waiting.staged.advance()).kind).toBe('turn');
    await suite.workspace.database.inWorkspace(workspaceId, (tx) =>
      tx('members').where({ id: memberId }).update({ notify_sms: true }),
    );
  });

  it('that fails leaves a colleague alerted, also after the answer of the agent', async () => {
    const staged = await stageAssignment(suite.workspace, talk);
    await staged.memberWrites('Text me');
    const { toolCallIds } = await new Turn(staged).run(call(sms));
    const waiting = { staged, interruptId: await idOf(staged), admin: admin() } as Waiting;
    await decide(waiting);
    expect(await runApproved(waiting)).toBe(true);
    expect(await toolResult(staged, toolCallIds[0] ?? '')).toMatchObject({ ok: false });
    expect(await new Turn(staged).take(reply('I could not send it.'))).toEqual({ kind: 'replied' });
    expect(await staged.chat()).toMatchObject({ needsResponseReason: 'approved_call_failed' });
    await staged.operatorWrites('I have called you.');
    expect(await staged.chat()).toMatchObject({ needsResponse: false });
  });

  it('that has a result, as a release without approvals stores one, is not run and blocks no turn', async () => {
    const waiting = await stage();
    const { staged, toolCallId } = waiting;
    await decide(waiting);
    await suite.workspace.database.inWorkspace(staged.workspaceId, (tx) =>
      storeToolResult(tx, { chatId: staged.chatId, toolCallId }, { ok: true }),
    );
    expect(await runApproved(waiting)).toBe(true);
    expect(await sent(staged)).toBe(0);
    expect(await stateOf(waiting)).toBe('withdrawn');
    await new Turn(staged).ask();
  });

  it('whose message was deleted is forgotten, and the agent answers', async () => {
    const waiting = await stage();
    await decide(waiting);
    await deleteMessage(waiting);
    await new Turn(waiting.staged).ask();
    expect(await stateOf(waiting)).toBe('withdrawn');
  });

  it('does not let later calls of its answer run, when these come after the decision', async () => {
    const staged = await stageAssignment(suite.workspace, talk, { channel: 'phone-sms' });
    await staged.memberWrites('Cancel it, and remind me');
    const result = await new Turn(staged).take(
      call(sms, ['schedule_follow_up', { after: 'P1D', instructions: 'Ask' }]),
    );
    const [first = '', second = ''] = result.kind === 'tools' ? result.toolCallIds : [];
    await runToolCall(staged, first);
    await decide({ staged, interruptId: await idOf(staged), admin: admin() } as Waiting, {
      decision: 'reject',
    });
    await runToolCall(staged, second);
    expect(await toolResult(staged, second)).toEqual({ ok: false, error: 'approval_pending' });
  });
});

describe('what is left for a person', () => {
  const inside = <T>(workspaceId: number, work: (tx: Tx) => Promise<T>) =>
    suite.workspace.database.inWorkspace(workspaceId, work);
  const patched = ({ workspaceId, chatId }: StagedAssignment, changes: ChatChanges) =>
    inside(workspaceId, (tx) => patchChat(tx, chatId, changes));
  const standing = { needsResponse: true, needsResponseReason: 'no_way_on', standingReason: 'no_way_on' };

  /** An approved call that has failed, because the member has no phone number to be texted at. */
  async function failed(): Promise<StagedAssignment> {
    const staged = await stageAssignment(suite.workspace, talk);
    await staged.memberWrites('Text me');
    await new Turn(staged).run(call(sms));
    const waiting = { staged, interruptId: await idOf(staged), admin: admin() } as Waiting;
    await decide(waiting);
    expect(await runApproved(waiting)).toBe(true);
    expect(await new Turn(staged).take(reply('I could not send it.'))).toEqual({ kind: 'replied' });
    return staged;
  }

  /** The member writes while the workflow is held, which is resumed. */
  async function heldFor(staged: StagedAssignment): Promise<void> {
    const { definitionId } = await staged.assignment();
    await holdWorkflowDefinition(admin(), definitionId, null);
    await staged.memberWrites('Are you there?');
    await staged.advance();
    expect(await staged.chat()).toMatchObject({ needsResponseReason: 'workflow_held' });
    await resumeWorkflowDefinition(admin(), definitionId);
    expect((await staged.advance()).kind).toBe('turn');
  }

  it('after a hold is the call that waits, which the agent’s answer leaves', async () => {
    const waiting = await stage();
    const { staged } = waiting;
    await heldFor(staged);
    const called = { needsResponse: true, needsResponseReason: 'approval' };
    expect(await staged.chat()).toMatchObject(called);
    await new Turn(staged).take(reply('A colleague has to agree.'));
    expect(await staged.chat()).toMatchObject(called);
    await decide(waiting);
    expect(await staged.chat()).toMatchObject({ needsResponse: false });
  });

  it('after a hold is the approved call that has failed', async () => {
    const staged = await failed();
    await heldFor(staged);
    expect(await staged.chat()).toMatchObject({ needsResponseReason: 'approved_call_failed' });
  });

  it.each(['approve', 'reject'] as const)(
    'after one has decided to %s is that nothing can move the assignment',
    async (decision) => {
      const waiting = await stage();
      await patched(waiting.staged, { standingReason: 'no_way_on' });
      await decide(waiting, { decision });
      expect(await waiting.staged.chat()).toMatchObject(standing);
    },
  );

  it('when a call is withdrawn is that nothing can move the assignment', async () => {
    const waiting = await stage();
    const { staged } = waiting;
    await staged.memberWrites('Is it done?');
    await new Turn(staged).take(reply('A colleague has to agree.'));
    await patched(staged, { standingReason: 'no_way_on' });
    await updateChat(waiting.admin, staged.chatId, { paused: true });
    expect(await stateOf(waiting)).toBe('withdrawn');
    expect(await staged.chat()).toMatchObject(standing);
  });

  it('when the assignment moves again is the approved call that has failed', async () => {
    const staged = await failed();
    await patched(staged, standing);
    const { assignmentId, clock, workspaceId } = staged;
    await inside(workspaceId, async (tx) => {
      const machine = await lockMachine(tx, assignmentId, clock.now());
      if (machine !== undefined) await clearStandingAlert(machine);
    });
    expect(await staged.chat()).toMatchObject({
      standingReason: null,
      needsResponseReason: 'approved_call_failed',
    });
  });

  it('of a failed call outlasts later reasons and decisions, until a colleague has answered', async () => {
    const staged = await failed();
    const isLeft = async () =>
      expect(await staged.chat()).toMatchObject({ needsResponseReason: 'approved_call_failed' });
    await isLeft();
    await staged.memberWrites('And now?');
    await new Turn(staged).take(reply(null));
    expect(await staged.chat()).toMatchObject({ needsResponseReason: 'no_reply' });
    await staged.memberWrites('Hello?');
    await new Turn(staged).take(reply('I am here.'));
    await isLeft();

    await staged.memberWrites('End it');
    await new Turn(staged).run(call(['conclude', { outcome: 'done' }]));
    expect(await staged.chat()).toMatchObject({ needsResponseReason: 'approval' });
    const waiting = { staged, interruptId: await idOf(staged), admin: admin() } as Waiting;
    await decide(waiting, { decision: 'reject' });
    await isLeft();

    await staged.operatorWrites('I have called you.');
    await patched(staged, { needsResponse: true, needsResponseReason: 'email_returned' });
    await updateChat(waiting.admin, staged.chatId, { paused: false });
    await staged.memberWrites('Thank you');
    await new Turn(staged).take(reply('You are welcome.'));
    expect(await staged.chat()).toMatchObject({ needsResponse: false, needsResponseReason: null });
  });

  it('when a colleague lets a stopped agent go on is the call that waits', async () => {
    const waiting = await stage();
    const { staged } = waiting;
    await patched(staged, { needsResponseReason: 'token_budget', agentStoppedReason: 'token_budget' });
    await updateChat(waiting.admin, staged.chatId, { paused: false });
    expect(await staged.chat()).toMatchObject({ agentStoppedReason: null, needsResponseReason: 'approval' });
    expect(await stateOf(waiting)).toBe('waiting');
  });

  it('is nothing where a colleague has dismissed it', async () => {
    const { staged, admin: by } = await stage();
    await updateChat(by, staged.chatId, { paused: true });
    await staged.operatorWrites('I will look.');
    await patched(staged, { ...standing, needsResponse: false, needsResponseReason: null });
    await updateChat(by, staged.chatId, { paused: false });
    await staged.memberWrites('Thank you');
    await new Turn(staged).take(reply('You are welcome.'));
    expect(await staged.chat()).toMatchObject({ needsResponse: false, needsResponseReason: null });
  });
});

describe('who decides', () => {
  it.each(['approve', 'reject'] as const)(
    'is another person than the member, and no application: who wants to %s',
    async (decision) => {
      const { workspace } = suite;
      const values = { phone: uniquePhone() };
      const member = await addMember(workspace, { role: workspace.roles.admin, values });
      const waiting = await stageFor(member);
      const { permissions } = workspace.roles.admin;
      const colleague = { member: workspace.admin, permissions };
      const refused = [
        actorOf(workspace, { member, permissions }),
        actorOf(workspace, { member, permissions, kind: 'session' }),
        actorOf(workspace, { ...colleague, kind: 'oauth_token' }),
        actorOf(workspace, { ...colleague, isKnown: false }),
      ];
      for (const actor of refused) {
        const by = { ...waiting, admin: { ...waiting.admin, actor } };
        expect(await codeOf(decide(by, { decision }))).toBe('forbidden');
      }
      expect(await stateOf(waiting)).toBe('waiting');
      const session = actorOf(workspace, { ...colleague, kind: 'session' });
      const byPerson = { ...waiting, admin: { ...waiting.admin, actor: session } };
      expect(await codeOf(decide(byPerson, { decision }))).toBe('done');
    },
  );
});

describe('a call that nobody decides about', () => {
  it('is rejected after three days, and a colleague is alerted', async () => {
    const waiting = await stage();
    const { staged } = waiting;
    staged.clock.advance(hours(72));
    expect(await codeOf(decide(waiting))).toBe('interrupt_over');
    expect((await staged.advance()).kind).toBe('wait');

    expect(await staged.chat()).toMatchObject({
      needsResponse: true,
      needsResponseReason: 'approval_expired',
    });
    expect(await toolResult(staged, waiting.toolCallId)).toEqual({ ok: false, error: 'approval_expired' });
    expect(await codeOf(decide(waiting))).toBe('interrupt_over');
  });

  it('is rejected although the workflow is held or the member disabled', async () => {
    const member = await addMember(suite.workspace, { values: { phone: '+12025550177' } });
    const ways = [
      async (waiting: Waiting) => {
        const { definitionId } = await waiting.staged.assignment();
        await holdWorkflowDefinition(admin(), definitionId, null);
      },
      () => setMemberEnabled(admin(), member.memberId, false),
    ];
    for (const rest of ways) {
      const waiting = await stageFor(member);
      const { staged } = waiting;
      await rest(waiting);
      const until = staged.clock.now().getTime() + hours(72);
      expect(await staged.advance()).toMatchObject({ kind: 'wait', until, dueAt: null });
      staged.clock.advance(hours(72));
      expect(await staged.advance()).toMatchObject({ kind: 'wait' });
      expect(await stateOf(waiting)).toBe('expired');
      expect(await staged.chat()).toMatchObject({ needsResponseReason: 'approval_expired' });
    }
  });

  it('is not run late if it was approved and the agent could not go on', async () => {
    const waiting = await stage();
    await decide(waiting);
    waiting.staged.clock.advance(hours(73));
    await waiting.staged.advance();
    expect(await stateOf(waiting)).toBe('expired');
    expect(await sent(waiting.staged)).toBe(0);
  });
});

describe('a handoff', () => {
  async function handedOver() {
    const member = await addMember(suite.workspace);
    const staged = await stageAssignment(suite.workspace, talk, { member });
    await staged.memberWrites('A person, please');
    await new Turn(staged).run(call(['handoff', { reason: 'wants a person' }]));
    return { staged, admin: admin(), interruptId: await idOf(staged) } as Waiting;
  }

  it('that is approved is the colleague’s', async () => {
    const waiting = await handedOver();
    expect(waiting.interruptId).toMatch(/^handoff-\d+$/);
    await decide(waiting);
    expect(await waiting.staged.chat()).toMatchObject({
      paused: true,
      needsResponse: true,
      claimedByMemberId: suite.workspace.admin.memberId,
    });
    expect(await idOf(waiting.staged)).toBe('');
    expect(await codeOf(decide(waiting))).toBe('done');
    expect(await codeOf(decide(waiting, { decision: 'reject' }))).toBe('interrupt_over');
  });

  it('is not taken from another colleague, nor returned to an agent that is disabled', async () => {
    const waiting = await handedOver();
    const other = await addMember(suite.workspace, { role: suite.workspace.roles.admin });
    const by = suite.workspace.context(other);
    await claimChat(by, waiting.staged.chatId, { minutes: 5 });
    expect(await codeOf(decide(waiting))).toBe('claimed_by_another');
    await updateChat(by, waiting.staged.chatId, { assistantEnabled: false });
    const mine = { ...waiting, admin: by };
    expect(await codeOf(decide(mine, { decision: 'reject' }))).toBe('agent_not_active');
  });

  it.each([
    ['here', (staged: StagedAssignment) => staged.operatorWrites('I am here.')],
    ['from the mailbox', answerFromMailbox],
  ])(
    'that a colleague has answered %s waits for nothing more, also when the member writes again',
    async (_where, answer) => {
      const waiting = await handedOver();
      const { staged } = waiting;
      await answer(staged);
      expect(await idOf(staged)).toBe('');
      expect(await codeOf(decide(waiting))).toBe('interrupt_over');

      await staged.memberWrites('And on Monday?');
      expect(await staged.chat()).toMatchObject({ paused: true, needsResponseReason: 'agent_silent' });
      expect(await idOf(staged)).toBe('');
      expect(await codeOf(decide(waiting, { decision: 'reject' }))).toBe('interrupt_over');
      expect(await staged.chat()).toMatchObject({ paused: true });
    },
  );

  it('is open while the member writes on and nobody has answered', async () => {
    const waiting = await handedOver();
    await waiting.staged.memberWrites('Hello?');
    expect(await idOf(waiting.staged)).toBe(waiting.interruptId);
  });

  it('that is rejected returns the chat to the agent, with the comment as a note', async () => {
    const waiting = await handedOver();
    await decide(waiting, { decision: 'reject', comment: 'Offer Monday.' });
    expect(await waiting.staged.chat()).toMatchObject({ paused: false, needsResponse: false });
    expect((await waiting.staged.advance()).kind).toBe('turn');
    const asked = await new Turn(waiting.staged).ask();
    expect(JSON.stringify(asked.messages)).toContain('Returned to the agent: Offer Monday.');
  });
});

describe('a chat without an assignment', () => {
  it('ends the call although its member is disabled', async () => {
    const member = await addMember(suite.workspace, { values: { phone: '+12025550178' } });
    const waiting = await stageFor(member);
    const { context, workspaceId, chatId, assignmentId, clock } = waiting.staged;
    await suite.workspace.database.inWorkspace(workspaceId, (tx) =>
      tx('assignments').where({ id: assignmentId }).update({ status: 'failed', concluded_at: new Date() }),
    );
    await setMemberEnabled(admin(), member.memberId, false);
    expect(await advanceChat(context, { workspaceId, chatId })).toMatchObject({ kind: 'wait' });
    clock.advance(hours(72));
    expect(await advanceChat(context, { workspaceId, chatId })).toEqual({ kind: 'idle' });
    expect(await stateOf(waiting)).toBe('expired');
  });

  it('waits until the time of the call is over', async () => {
    const waiting = await stage();
    const { context, workspaceId, chatId, assignmentId } = waiting.staged;
    await suite.workspace.database.inWorkspace(workspaceId, (tx) =>
      tx('assignments').where({ id: assignmentId }).update({ status: 'failed', concluded_at: new Date() }),
    );
    const step = await advanceChat(context, { workspaceId, chatId });
    expect(step).toMatchObject({ kind: 'wait', until: expect.any(Number) });
  });
});
