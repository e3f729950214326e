import { findInbox } from '../../../db/channels/inboxes.js';
import { findPhoneNumber } from '../../../db/channels/phone-numbers.js';
import { findAssistantForChat } from '../../../db/conversations/assistants.js';
import { type Channel, type ChatRow, patchChat } from '../../../db/conversations/chats.js';
import { insertMessage } from '../../../db/conversations/messages.js';
import type { WorkflowDefinitionRow } from '../../../db/definitions/workflow-definitions.js';
import { findMember } from '../../../db/people/members.js';
import { pinSite } from '../../../db/sites/sites.js';
import type { Tx } from '../../../db/tx.js';
import { beginAssignment, prepareAssignment } from '../../assignments/begin-assignment.js';
import { requireRoomToBegin } from '../../assignments/begin-bounds.js';
import { currentTask } from '../../assignments/machine/machine.js';
import { defaultInbox } from '../../channels/email/inbox-of-chat.js';
import { isTooLong, maxSmsParts, partsAsWritten } from '../../channels/message-text.js';
import { supersedeSmsChat } from '../../channels/sms/sms-thread.js';
import { openChat } from '../../chat-state/open-chat.js';
import { requireUsableDefinition } from '../../definitions/workflow-definitions/require-definition.js';
import { resolveRevision } from '../../definitions/workflow-revisions/resolve-revision.js';
import type { Actor } from '../../kernel/actor.js';
import { acceptModels } from '../../kernel/ai-models/accept-models.js';
import { recordAudit } from '../../kernel/audit/record-audit.js';
import type { CommandContext } from '../../kernel/context.js';
import type { Outreach } from '../../kernel/outreach.js';
import { requirePerson } from '../../kernel/require-person.js';
import { InvalidInput, NotFound } from '../../lib/errors.js';
import { settleInOrder } from '../../lib/settle-in-order.js';
import { refusalOfRequest } from '../phone-calls/place-call.js';
import { type ChatView, viewAs } from './chat-view.js';
import { pinOrigin, requireFolderOfChat } from './places-of-chat.js';

export interface CreateChat {
  channel: Channel;
  workflowId?: number;
  workflowRevisionId?: number;
  /** Default: the caller. */
  memberId?: number;
  phoneNumberId?: number;
  inboxId?: number;
  participants?: { memberId: number; role?: string }[];
  assistantEnabled?: boolean;
  assistantMemberId?: number;
  assistantChatModelId?: string;
  assistantRealtimeModelId?: string;
  initialMessage?: string;
  title?: string;
  siteId?: number;
  /** Id or uuid of a message that the caller may read. */
  fromMessageId?: number | string;
  /** A folder that the caller sees. */
  folderId?: number;
  isTest?: boolean;
  chatType?: string;
}

/**
 * Creates a chat and, with a workflow, its assignment; in a chat by voice, the member is then called. If the initial message
 * cannot be sent, the chat says why.
 */
export async function createChat(
  context: CommandContext,
  input: CreateChat,
  /** `voice`: whether this installation has a carrier and a model that speaks. */
  { voice = false }: { voice?: boolean } = {},
): Promise<ChatView> {
  const { actor, outreach } = context;
  const now = context.clock.now();
  const memberId = input.memberId ?? actor.memberId;
  checkShape(input, voice);
  const { assistantChatModelId, assistantRealtimeModelId } = acceptModels(context.models, input, {
    assistantChatModelId: 'chat',
    assistantRealtimeModelId: 'realtime',
  });
  actor.requireSelfOr(memberId, 'chats:write');
  // Another model may cost far more than the assistant's own, and guards may let test chats pass.
  const namesModel = input.assistantChatModelId !== undefined || input.assistantRealtimeModelId !== undefined;
  // Checked before any look-up, so that a caller without the permission cannot probe which members exist.
  if (namesModel || input.isTest || namesOthers(input, actor.memberId)) actor.require('chats:write');

  return context.db.inWorkspace(actor.workspaceId, async (tx) => {
    const { workflowId } = input;
    const toBegin = { permission: 'chats:write', definitionId: workflowId } as const;
    await requireRoomToBegin(tx, actor, toBegin, now);
    const [definition, member, assistant, prepared] = await settleInOrder(
      workflowId === undefined ? undefined : requireUsableDefinition(tx, actor, workflowId),
      requirePerson(tx, memberId),
      findAssistantForChat(tx, {
        assistantMemberId: input.assistantMemberId ?? null,
        definitionId: workflowId ?? null,
      }),
      workflowId === undefined ? undefined : prepareAssignment(tx, { ...input, workflowId }),
    );
    const revisionId =
      definition && (await resolveRevision(tx, actor, definition, input.workflowRevisionId, 'chats:write'));
    const fromMessageId =
      input.fromMessageId === undefined ? null : await pinOrigin(tx, actor, input.fromMessageId);
    if (input.folderId !== undefined) await requireFolderOfChat(tx, actor, input.folderId);
    if (input.siteId !== undefined) await requireSiteOfChat(tx, actor, input.siteId);
    const phoneNumberId = await choosePhoneNumber(tx, input, definition);
    const inboxId = await chooseInbox(tx, input, definition);
    // Without an agent, the initial message may fail to be sent.
    const isByPhone = input.channel === 'phone-sms' || input.channel === 'phone-voice';
    if (isByPhone && member.phone === null && input.initialMessage === undefined) {
      throw InvalidInput.field('/memberId', 'names a member without a phone number');
    }
    if (input.channel === 'email' && member.email === null && input.initialMessage === undefined) {
      throw InvalidInput.field('/memberId', 'names a member without an email address');
    }
    if (input.assistantMemberId !== undefined && input.assistantMemberId !== assistant?.memberId) {
      throw new NotFound('Assistant member');
    }
    const assistantMemberId = assistant?.memberId ?? null;
    const others = await otherParticipants(tx, actor, input, [memberId, assistantMemberId]);

    const newChat = {
      channel: input.channel,
      chatType: input.chatType ?? (definition === undefined ? 'simple' : 'workflow'),
      memberId,
      createdByMemberId: actor.memberId,
      assistantEnabled: input.assistantEnabled ?? true,
      assistantMemberId,
      chatModelId: assistantChatModelId ?? null,
      realtimeModelId: assistantRealtimeModelId ?? null,
      phoneNumberId,
      inboxId,
      title: input.title ?? null,
      fromMessageId,
      folderId: input.folderId ?? null,
      siteId: input.siteId ?? null,
      isTest: input.isTest ?? false,
    };
    if (phoneNumberId !== null && input.channel === 'phone-sms') {
      await supersedeSmsChat(tx, member, phoneNumberId);
    }
    const begun =
      definition && revisionId && prepared
        ? { definition, prepared, chat: { ...newChat, revisionId }, others }
        : undefined;
    const { opened, machine } = begun
      ? await beginAssignment(tx, begun, { outreach, now })
      : { opened: await openChat(tx, newChat, now, others) };
    const stored = machine?.chat ?? opened.chat;
    if (others.size > 0) {
      const names = [...new Set(others.values())];
      recordAudit(tx, context, 'participant:added', { subject: ['chat', stored.id], names });
    }
    if (begun && stored.channel === 'phone-voice' && stored.assistantEnabled) {
      const wanted = { chat: stored, begunBy: 'api', requestedByMemberId: actor.memberId, now } as const;
      const asked = await outreach.call(tx, wanted);
      if (asked !== 'placed' && asked !== 'answered') throw refusalOfRequest(asked);
    }
    const text = input.initialMessage;
    const chat =
      text === undefined
        ? stored
        : await sendInitialMessage(tx, stored, text, actor.memberId, { outreach, now });
    const task = machine && currentTask(machine);
    return viewAs(actor, {
      ...chat,
      participants: opened.participants,
      labels: [],
      assignmentId: machine?.assignment.id ?? null,
      currentTaskName: task?.name ?? null,
      handoffTask: task?.taskType === 'handoff' ? task.configuration : null,
      waitingCall: undefined,
    });
  });
}

function checkShape(input: CreateChat, voice: boolean): void {
  if (input.channel === 'phone-voice' && !voice) {
    const message = 'names voice chats, which are not available in this installation';
    throw InvalidInput.field('/channel', message, 'voice_unavailable');
  }
  if (input.phoneNumberId !== undefined && input.inboxId !== undefined) {
    throw InvalidInput.field('/inboxId', 'excludes phoneNumberId');
  }
  if (input.workflowRevisionId !== undefined && input.workflowId === undefined) {
    throw InvalidInput.field('/workflowRevisionId', 'needs a workflowId');
  }
  if (input.initialMessage === undefined) return;
  const hasAgent = input.assistantEnabled ?? true;
  if (hasAgent || (input.channel !== 'phone-sms' && input.channel !== 'email')) {
    throw InvalidInput.field('/initialMessage', 'is for SMS and email chats without an assistant');
  }
  if (input.initialMessage.trim() === '') throw InvalidInput.field('/initialMessage', 'must contain text');
  if (isTooLong(input.channel, input.initialMessage)) {
    throw InvalidInput.field('/initialMessage', `must fit into ${maxSmsParts} SMS`);
  }
}

async function choosePhoneNumber(
  tx: Tx,
  input: CreateChat,
  definition: WorkflowDefinitionRow | undefined,
): Promise<number | null> {
  if (input.channel !== 'phone-sms' && input.channel !== 'phone-voice') {
    if (input.phoneNumberId === undefined) return null;
    throw InvalidInput.field('/phoneNumberId', 'is for SMS and voice chats');
  }
  const id = input.phoneNumberId ?? definition?.defaultPhoneNumberId ?? undefined;
  if (id === undefined) {
    throw InvalidInput.field('/phoneNumberId', 'is required: the workflow has no default phone number');
  }
  const number = await findPhoneNumber(tx, id);
  if (number === undefined)
    throw InvalidInput.field('/phoneNumberId', 'names no phone number of this workspace');
  const isEnabled = input.channel === 'phone-sms' ? number.smsEnabled : number.voiceEnabled;
  if (!isEnabled) throw InvalidInput.field('/phoneNumberId', `is not enabled for ${input.channel}`);
  return id;
}

/**
 * The inbox that is named, or the one that is meant. An operator's first email creates a chat all the same, as one by SMS does
 * to a member without a number: it says why it was not sent.
 */
async function chooseInbox(
  tx: Tx,
  input: CreateChat,
  definition: WorkflowDefinitionRow | undefined,
): Promise<number | null> {
  if (input.channel !== 'email') {
    if (input.inboxId === undefined) return null;
    throw InvalidInput.field('/inboxId', 'is for email chats');
  }
  if (input.inboxId === undefined) {
    const inbox = await defaultInbox(tx, definition?.id ?? null);
    if (inbox !== undefined || input.initialMessage !== undefined) return inbox?.id ?? null;
    const message = 'is required: the workflow or the workspace does not have exactly one inbox in use';
    throw InvalidInput.field('/inboxId', message, 'missing_inbox');
  }
  const inbox = await findInbox(tx, input.inboxId);
  if (inbox === undefined) throw InvalidInput.field('/inboxId', 'names no inbox of this workspace');
  if (!inbox.enabled) throw InvalidInput.field('/inboxId', 'names an inbox that is disabled');
  return inbox.id;
}

/** Whether the input names people other than the caller. Assistants do not count, because every member may use them. */
function namesOthers({ participants = [] }: CreateChat, ownMemberId: number): boolean {
  return participants.some(({ memberId, role }) => role !== 'assistant' && memberId !== ownMemberId);
}

/** A site that is not public is named by colleagues only. @throws InvalidInput */
async function requireSiteOfChat(tx: Tx, actor: Actor, siteId: number): Promise<void> {
  const site = await pinSite(tx, siteId);
  if (site !== undefined && (site.isPublic || actor.can('chats:write'))) return;
  throw InvalidInput.field('/siteId', 'names no site of this workspace');
}

/** Returns the participants besides the member and the assistant, with their roles. */
async function otherParticipants(
  tx: Tx,
  actor: Actor,
  input: CreateChat,
  ownMemberIds: (number | null)[],
): Promise<Map<number, string>> {
  const others = new Map<number, string>();
  for (const [index, { memberId, role }] of (input.participants ?? []).entries()) {
    if (others.has(memberId) || ownMemberIds.includes(memberId)) {
      const pointer = `/participants/${index}/memberId`;
      throw InvalidInput.field(pointer, 'takes part already', 'duplicate_participant');
    }
    const participant = await findMember(tx, memberId);
    const isMistaken = role === 'assistant' && participant?.kind === 'human';
    if (participant === undefined || (isMistaken && !actor.can('chats:write'))) {
      throw new NotFound('Participant');
    }
    if (isMistaken) throw InvalidInput.field(`/participants/${index}/role`, 'is for assistants');
    others.set(memberId, role ?? 'contributor');
  }
  return others;
}

async function sendInitialMessage(
  tx: Tx,
  chat: ChatRow,
  text: string,
  authorMemberId: number,
  { outreach, now }: { outreach: Outreach; now: Date },
): Promise<ChatRow> {
  const written = { chatId: chat.id, role: 'assistant', author: 'person', memberId: authorMemberId } as const;
  let initialMessageError: string | null = null;
  for (const content of partsAsWritten(chat.channel, text)) {
    const message = await insertMessage(tx, { ...written, content });
    const reason = await outreach.deliver(tx, chat, message, now, { isPlanned: true });
    initialMessageError ??= reason ?? null;
  }
  return patchChat(tx, chat.id, { initialMessageError });
}
