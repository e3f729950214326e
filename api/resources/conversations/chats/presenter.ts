import type { ChatParticipantDetails } from '../../../../db/conversations/chat-details.js';
import type { LastMessage } from '../../../../db/conversations/waiting-chats.js';
import { deliveryFailureReasons } from '../../../../domain/channels/deliveries/failure-reasons.js';
import type { ChatView } from '../../../../domain/conversations/chats/chat-view.js';
import { interruptOf } from '../../../../domain/conversations/chats/interrupt.js';
import type { WaitingChat } from '../../../../domain/conversations/chats/list-waiting-chats.js';
import { needsResponseMeanings, needsResponseReasons } from '../../../../domain/kernel/alert-colleague.js';
import type { WaitingChatResponse } from './queue-schemas.js';
import type { ChatParticipantResponse, ChatResponse } from './schemas.js';

export function presentChat(chat: ChatView): ChatResponse {
  return {
    ...chat,
    needsResponseReason: reasonOf(chat),
    needsResponseText: reasonText(chat),
    workflowId: chat.definitionId,
    workflowRevisionId: chat.revisionId,
    participants: chat.participants.map((participant) =>
      presentParticipant(chat, participant, { withSettings: chat.canSendAsAssistant }),
    ),
    // What the agent would do is shown to those who decide about it.
    interrupt: interruptOf(chat, chat.waitingCall, chat.canSendAsAssistant),
    initialMessageError: initialMessageErrorOf(chat),
    ...placeInQueue(chat),
  };
}

export function presentWaitingChat(chat: WaitingChat): WaitingChatResponse {
  return {
    ...presentChat(chat),
    waitingSince: chat.needsResponseSince ?? chat.updatedAt,
    lastMessage: chat.lastMessage && presentLastMessage(chat.lastMessage),
  };
}

/** Who answers the chat and whether it is put off, for colleagues. */
function placeInQueue(chat: ChatView): Pick<ChatResponse, 'claim' | 'snooze'> {
  const { showsQueue, claimedByMemberId, claimedUntil, snoozedAt, snoozedUntil } = chat;
  if (!showsQueue) return {};
  const isClaimed = claimedByMemberId !== null && claimedUntil !== null;
  return {
    claim: isClaimed ? { memberId: claimedByMemberId, until: claimedUntil } : undefined,
    snooze: snoozedAt === null ? undefined : { at: snoozedAt, until: snoozedUntil },
  };
}

function presentLastMessage({ uuid: id, ...message }: LastMessage) {
  return { ...message, id, role: message.role === 'user' ? 'user' : 'assistant' } as const;
}

/** A code of a later release is none of the schema. */
export function initialMessageErrorOf({ initialMessageError }: Pick<ChatView, 'initialMessageError'>) {
  if (initialMessageError === null) return undefined;
  return deliveryFailureReasons.find((reason) => reason === initialMessageError) ?? 'failed';
}

/** A chat has no reason if it needs no response, or needed one before reasons were stored. */
export function reasonOf(chat: Pick<ChatView, 'needsResponse' | 'needsResponseReason'>) {
  if (!chat.needsResponse) return undefined;
  return needsResponseReasons.find((reason) => reason === chat.needsResponseReason);
}

/** The reason in words, for people who answer chats: for colleagues, with that of the task that hands over. */
function reasonText(chat: ChatView) {
  const code = reasonOf(chat);
  if (code === undefined) return undefined;
  const { currentTaskName, handoffTask } = chat;
  if (code !== 'handoff' || handoffTask === null) return needsResponseMeanings[code];
  const because = chat.showsQueue && handoffTask.reason !== undefined ? `: ${handoffTask.reason}` : '';
  return `the task “${currentTaskName}” handed the chat over${because}`;
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
    chatModel,
    realtimeModel,
    ...(withSettings ? { additionalInstructions, chatModelConfig, realtimeModelConfig } : {}),
  };
}
