import type { ChatParticipantDetails } from '../../../../db/conversations/chat-details.js';
import type { LastMessage } from '../../../../db/conversations/waiting-chats.js';
import { deliveryFailureReasons } from '../../../../domain/channels/deliveries/failure-reasons.js';
import type { ChatView } from '../../../../domain/conversations/chats/chat-view.js';
import { interruptOf } from '../../../../domain/conversations/chats/interrupt.js';
import type { WaitingChat } from '../../../../domain/conversations/chats/list-waiting-chats.js';
import { needsResponseMeanings, needsResponseReasons } from '../../../../domain/kernel/call-person.js';
import type { WaitingChatResponse } from './queue-schemas.js';
import type { ChatParticipantResponse, ChatResponse } from './schemas.js';

export function presentChat(chat: ChatView): ChatResponse {
  return {
    id: chat.id,
    uuid: chat.uuid,
    archived: chat.archived,
    muted: chat.muted,
    channel: chat.channel,
    chatType: chat.chatType,
    paused: chat.paused,
    pausedAt: chat.pausedAt?.toISOString() ?? null,
    pausedReason: chat.pausedReason,
    needsResponse: chat.needsResponse,
    ...presentReason(chat),
    ...presentReasonText(chat, { withHandoffReason: false }),
    assignmentId: chat.assignmentId,
    workflowId: chat.definitionId,
    fromMessageId: chat.fromMessageId,
    phoneNumberId: chat.phoneNumberId,
    inboxId: chat.inboxId,
    siteId: chat.siteId,
    folderId: chat.folderId,
    createdAt: chat.createdAt.toISOString(),
    updatedAt: chat.updatedAt.toISOString(),
    title: chat.title,
    summary: chat.summary,
    summaryUpdatedAt: chat.summaryUpdatedAt?.toISOString() ?? null,
    lastMessageReceivedAt: chat.lastMessageReceivedAt?.toISOString() ?? null,
    messageCount: chat.messageCount,
    participants: chat.participants.map((participant) =>
      presentParticipant(chat, participant, { withSettings: chat.canSendAsAssistant }),
    ),
    canSendAsAssistant: chat.canSendAsAssistant,
    labels: chat.labels.map(({ chatId: _, ...label }) => label),
    isTest: chat.isTest,
    ...(chat.revisionId === null ? {} : { workflowRevisionId: chat.revisionId }),
    ...presentInterrupt(chat),
    ...(chat.currentTaskName === null ? {} : { currentTaskName: chat.currentTaskName }),
    ...presentInitialMessageError(chat),
  };
}

/** What the agent would do is shown to those who decide about it. */
function presentInterrupt(chat: ChatView): Pick<ChatResponse, 'interrupt'> {
  const interrupt = interruptOf(chat, chat.waitingCall, chat.canSendAsAssistant);
  if (interrupt === undefined) return {};
  const { kind, id, since } = interrupt;
  const told = { kind, id, since: since.toISOString() };
  if (interrupt.kind === 'handoff') return { interrupt: told };
  const { expiresAt, toolCall } = interrupt;
  return {
    interrupt: {
      ...told,
      expiresAt: expiresAt.toISOString(),
      ...(toolCall === undefined ? {} : { toolCall }),
    },
  };
}

export function presentWaitingChat(chat: WaitingChat): WaitingChatResponse {
  const { lastMessage, showsQueue, claimedByMemberId, claimedUntil, snoozedAt, snoozedUntil } = chat;
  const isClaimed = showsQueue && claimedByMemberId !== null && claimedUntil !== null;
  return {
    ...presentChat(chat),
    ...presentReasonText(chat, { withHandoffReason: showsQueue }),
    waitingSince: (chat.needsResponseSince ?? chat.updatedAt).toISOString(),
    ...(lastMessage === undefined ? {} : { lastMessage: presentLastMessage(lastMessage) }),
    ...(isClaimed ? { claim: { memberId: claimedByMemberId, until: claimedUntil.toISOString() } } : {}),
    ...(showsQueue && snoozedAt !== null
      ? { snooze: { at: snoozedAt.toISOString(), until: snoozedUntil?.toISOString() ?? null } }
      : {}),
  };
}

function presentLastMessage({
  uuid,
  role,
  author,
  memberId,
  text,
  createdAt,
}: LastMessage): NonNullable<WaitingChatResponse['lastMessage']> {
  return {
    id: uuid,
    role: role === 'user' ? 'user' : 'assistant',
    ...(author === null ? {} : { author }),
    ...(memberId === null ? {} : { memberId }),
    text,
    createdAt: createdAt.toISOString(),
  };
}

/** A code of a later release is none of the schema. */
export function presentInitialMessageError({ initialMessageError }: Pick<ChatView, 'initialMessageError'>) {
  const known = deliveryFailureReasons.find((reason) => reason === initialMessageError);
  if (initialMessageError === null) return {};
  return { initialMessageError: known ?? ('failed' as const) };
}

/** A chat has no reason if it needs no response, or needed one before reasons were stored. */
export function presentReason({
  needsResponse,
  needsResponseReason,
}: Pick<ChatView, 'needsResponse' | 'needsResponseReason'>) {
  const known = needsResponseReasons.find((reason) => reason === needsResponseReason);
  return !needsResponse || known === undefined ? {} : { needsResponseReason: known };
}

/**
 * The reason in words, for people who answer chats. `withHandoffReason`: with that of the task that hands over, which is a
 * note for colleagues.
 */
function presentReasonText(chat: ChatView, { withHandoffReason }: { withHandoffReason: boolean }) {
  const { needsResponseReason: code } = presentReason(chat);
  if (code === undefined) return {};
  const { currentTaskName, handoffTask } = chat;
  if (code !== 'handoff' || handoffTask === null) return { needsResponseText: needsResponseMeanings[code] };
  const because = withHandoffReason && handoffTask.reason !== undefined ? `: ${handoffTask.reason}` : '';
  return { needsResponseText: `the task “${currentTaskName}” handed the chat over${because}` };
}

/**
 * The models of the participant take precedence over those of the chat, and these over those of the assistant.
 * `withSettings`: with its instructions and configurations, which are for colleagues.
 */
export function presentParticipant(
  chat: Pick<ChatView, 'assistantMemberId' | 'chatModelId' | 'realtimeModelId'>,
  participant: ChatParticipantDetails,
  { withSettings }: { withSettings: boolean },
): ChatParticipantResponse {
  const answers = participant.memberId === chat.assistantMemberId;
  const chatModel =
    participant.ownChatModelId ?? (answers ? chat.chatModelId : null) ?? participant.chatModelId;
  const realtimeModel =
    participant.ownRealtimeModelId ?? (answers ? chat.realtimeModelId : null) ?? participant.realtimeModelId;
  const { additionalInstructions, chatModelConfig, realtimeModelConfig } = participant;
  return {
    name: participant.name,
    role: participant.role,
    memberId: participant.memberId,
    memberType: participant.memberKind,
    ...(withSettings && additionalInstructions !== null ? { additionalInstructions } : {}),
    ...(chatModel === null ? {} : { chatModel }),
    ...(realtimeModel === null ? {} : { realtimeModel }),
    ...(withSettings && chatModelConfig !== null ? { chatModelConfig } : {}),
    ...(withSettings && realtimeModelConfig !== null ? { realtimeModelConfig } : {}),
  };
}
