import { demo } from '../../../api/http/demo.js';
import { insertPhoneCall } from '../../../db/calls/phone-calls.js';
import { findChat, patchChat } from '../../../db/conversations/chats.js';
import { insertFollowUp } from '../../../db/conversations/follow-ups.js';
import { insertMessage } from '../../../db/conversations/messages.js';
import { insertApproval } from '../../../db/conversations/tool-approvals.js';
import { createAssignment } from '../../../domain/assignments/create-assignment.js';
import { chatLabels } from '../../../domain/conversations/chat-labels/chat-labels.js';
import { createChat } from '../../../domain/conversations/chats/create-chat.js';
import { postMessage } from '../../../domain/conversations/chats/post-message.js';
import { createMessageTemplate } from '../../../domain/conversations/message-templates/message-templates.js';
import { addParticipant } from '../../../domain/conversations/participants/add-participant.js';
import { listParticipants } from '../../../domain/conversations/participants/list-participants.js';
import { scheduleMessage } from '../../../domain/conversations/scheduled-messages/schedule-message.js';
import type { CommandContext } from '../../../domain/kernel/context.js';
import { createLabel } from '../../../domain/kernel/labels.js';
import { pokeFollowUpRun } from '../../../domain/kernel/runs.js';
import { expectId } from './expect-id.js';

const yearMs = 365 * 86_400_000;

export async function buildChats(context: CommandContext): Promise<void> {
  const label = await createLabel(context, chatLabels, { name: 'First visit' });
  expectId('chat label', label, demo.chatLabelId);
  const spam = await createLabel(context, chatLabels, { name: 'Wrong number' });
  expectId('chat label to delete', spam, demo.chatLabelToDelete);
  await buildMessageTemplates(context);

  const { memberId, workflowId } = demo;
  const chat = await createChat(context, { channel: 'web-chat', workflowId, memberId });
  expectId('chat', chat, demo.chatId);
  await addParticipants(context, chat.id);
  const assignment = await createAssignment(context, { workflowId, memberId });
  expectId('assignment', assignment, demo.assignmentId);
  const { children } = assignment.rootTask ?? {};
  const anotherDay = children?.find(({ taskName }) => taskName === 'Another day') ?? { id: 0 };
  expectId('task of the assignment', anotherDay, demo.assignmentTaskId);
  const cancelled = await createAssignment(context, { workflowId, memberId });
  expectId('assignment to cancel', cancelled, demo.assignmentToCancel);

  const plain = await createChat(context, { channel: 'web-chat', memberId, title: 'Questions' });
  expectId('chat without a workflow', plain, demo.chatWithoutWorkflow);
  await answerByHand(context, plain.id);
  await scheduleFollowUps(context, plain.id);
  await scheduleMessages(context, plain.id);
  await recordCall(context, plain.id);

  const waiting = await createChat(context, {
    channel: 'web-chat',
    memberId,
    title: 'Opening hours',
    assistantEnabled: false,
  });
  expectId('chat that waits', waiting, demo.chatThatWaits);
  await postMessage(context, { chatId: waiting.id, content: 'Are you open on Saturday?' });

  const asking = await createChat(context, { channel: 'web-chat', memberId, title: 'Cancel a visit' });
  expectId('chat with an interrupt', asking, demo.chatWithInterrupt);
  await askToApprove(context, asking.id);

  const toCall = await createChat(context, { channel: 'web-chat', memberId, title: 'Call about a visit' });
  expectId('chat to call', toCall, demo.chatToCall);
}

async function buildMessageTemplates(context: CommandContext): Promise<void> {
  const hours = await createMessageTemplate(context, {
    name: 'Opening hours',
    shortcut: 'hours',
    text: 'Hello {{member.name}}, we are open on weekdays from 8 to 17.',
    translations: { de: 'Guten Tag {{member.name}}, wir haben werktags von 8 bis 17 Uhr geöffnet.' },
  });
  expectId('message template', hours, demo.messageTemplateId);
  const former = await createMessageTemplate(context, {
    name: 'Closed in August',
    text: 'We are closed in August.',
  });
  expectId('message template to delete', former, demo.messageTemplateToDelete);
}

/** A call that has ended. */
async function recordCall({ db, actor, clock }: CommandContext, chatId: number): Promise<void> {
  await db.inWorkspace(actor.workspaceId, async (tx) => {
    const now = clock.now();
    const lastedMs = 62_000;
    const startedAt = new Date(now.getTime() - lastedMs);
    const call = await insertPhoneCall(tx, {
      chatId,
      phoneNumberId: demo.phoneNumberId,
      memberId: demo.memberId,
      inbound: false,
      begunBy: 'api',
      remoteNumber: '+15555550123',
      carrierCallId: demo.carrierCallId,
      status: 'completed',
      terminationReason: 'completed',
      carrierStatus: 'completed',
      durationSeconds: lastedMs / 1_000,
      startedAt,
      finishedAt: now,
      settledAt: now,
      createdAt: startedAt,
      updatedAt: now,
    });
    expectId('phone call', call, demo.phoneCallId);
    await tx('phone_calls').where({ id: call.id }).update({ uuid: demo.callUuid });
  });
}

/** A tool call of the agent that waits for approval. */
async function askToApprove({ db, actor, clock }: CommandContext, chatId: number): Promise<void> {
  await db.inWorkspace(actor.workspaceId, async (tx) => {
    const now = clock.now();
    const toolCallId = 'call_interrupt';
    const call = { name: 'send_sms', arguments: '{"text":"Your visit is cancelled."}' };
    const message = await insertMessage(tx, {
      chatId,
      role: 'assistant',
      author: 'agent',
      content: null,
      toolCalls: [{ id: toolCallId, type: 'function', function: call }],
    });
    const approval = await insertApproval(tx, {
      chatId,
      messageId: message.id,
      toolCallId,
      state: 'waiting',
      requestedAt: now,
      expiresAt: new Date(now.getTime() + 10 * yearMs),
    });
    await tx('tool_approvals').where({ id: approval.id }).update({ uuid: demo.interruptId });
    await patchChat(tx, chatId, { approvalId: approval.id });
  });
}

async function addParticipants(context: CommandContext, chatId: number): Promise<void> {
  const { participants } = await listParticipants(context, chatId);
  const night = participants.find(({ memberId }) => memberId === demo.assistantMemberId) ?? { id: 0 };
  expectId('participant', night, demo.participantId);
  const id = await addParticipant(context, chatId, { memberId: demo.adminMemberId, role: 'operator' });
  expectId('participant to remove', { id }, demo.participantToRemove);
}

/** A message that the examples rate, with a tool call whose messages they list. */
async function answerByHand({ db, actor }: CommandContext, chatId: number): Promise<void> {
  await db.inWorkspace(actor.workspaceId, async (tx) => {
    const { toolCallId } = demo;
    const call = { name: 'schedule_follow_up', arguments: '{}' };
    const { id } = await insertMessage(tx, {
      chatId,
      role: 'assistant',
      author: 'person',
      memberId: actor.memberId,
      content: 'Good morning, how can we help?',
      toolCalls: [{ id: toolCallId, type: 'function', function: call }],
    });
    await tx('messages').where({ id }).update({ uuid: demo.messageUuid });
    const result = { role: 'tool', author: 'system', content: 'The follow-up is scheduled.' } as const;
    await insertMessage(tx, { ...result, chatId, toolCallId });
  });
}

async function scheduleFollowUps({ db, actor, clock }: CommandContext, chatId: number): Promise<void> {
  const dueAt = new Date(clock.now().getTime() + yearMs);
  await db.inWorkspace(actor.workspaceId, async (tx) => {
    const followUp = { chatId, dueAt, scheduledByMemberId: demo.assistantMemberId };
    await insertFollowUp(tx, { ...followUp, instructions: 'Ask how the visit went.' });
    const second = await insertFollowUp(tx, { ...followUp, instructions: 'Ask whether the pain is gone.' });
    expectId('follow-up to cancel', second, demo.followUpToCancel);
    const chat = await findChat(tx, chatId);
    if (chat !== undefined) await pokeFollowUpRun(tx, chat);
  });
}

async function scheduleMessages(context: CommandContext, chatId: number): Promise<void> {
  const sendAt = new Date(context.clock.now().getTime() + yearMs).toISOString();
  const places = {
    'Your next visit is due.': demo.scheduledMessageId,
    'A greeting': demo.scheduledMessageToCancel,
  };
  for (const [message, expected] of Object.entries(places)) {
    const scheduled = await scheduleMessage(context, { chatId, message, sendAt, toolCalls: [] });
    expectId('scheduled message', scheduled, expected);
  }
}
