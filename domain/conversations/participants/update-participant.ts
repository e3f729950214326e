import { type ChatParticipantDetails, participantsOfChats } from '../../../db/conversations/chat-details.js';
import { type ChatRow, lockChat, patchChat } from '../../../db/conversations/chats.js';
import { type ParticipantChanges, patchParticipant } from '../../../db/conversations/participants.js';
import type { Tx } from '../../../db/tx.js';
import { acceptModels } from '../../kernel/ai-models/accept-models.js';
import { givenNames, recordAudit } from '../../kernel/audit/record-audit.js';
import type { CommandContext } from '../../kernel/context.js';
import { Conflict, InvalidInput, NotFound } from '../../lib/errors.js';
import { requireFittingRole } from './add-participant.js';

export interface UpdateParticipant {
  role?: string;
  /** Added to the instructions of the assistant in this chat. Null: nothing is added. */
  additionalInstructions?: string | null;
  /** Null: that of the chat or, if it has none, that of the assistant. */
  chatModel?: string | null;
  realtimeModel?: string | null;
  /** Replaces the configuration of the assistant in this chat. Null: that of the assistant. */
  chatModelConfig?: Record<string, unknown> | null;
  realtimeModelConfig?: Record<string, unknown> | null;
}

/**
 * Changes a participant. What an assistant does here differently is in force from its next model request on.
 * @throws NotFound, InvalidInput, Conflict `participant_required`
 */
export async function updateParticipant(
  context: CommandContext,
  chatId: number,
  participantId: number,
  input: UpdateParticipant,
): Promise<{ chat: ChatRow; participant: ChatParticipantDetails }> {
  const { db, actor, models } = context;
  actor.require('chats:write');
  const { chatModel, realtimeModel } = acceptModels(models, input, {
    chatModel: 'chat',
    realtimeModel: 'realtime',
  });
  const { chatModel: _, realtimeModel: __, role, ...settings } = input;
  return db.inWorkspace(actor.workspaceId, async (tx) => {
    const { chat, participant } = await lockParticipant(tx, chatId, participantId);
    if (role !== undefined && role !== participant.role) {
      requireReplaceable(chat, participant);
      requireFittingRole(participant.memberKind, role);
    }
    requireAssistantFor(participant, input);
    const changes: ParticipantChanges = {
      ...settings,
      ...(role === undefined ? {} : { role }),
      ...(chatModel === undefined ? {} : { chatModelId: chatModel }),
      ...(realtimeModel === undefined ? {} : { realtimeModelId: realtimeModel }),
    };
    if (Object.keys(changes).length > 0) await patchParticipant(tx, participant.id, changes);
    recordAudit(tx, context, 'participant:updated', { subject: ['chat', chat.id], names: givenNames(input) });
    return {
      chat: await patchChat(tx, chat.id, {}),
      participant: await findDetails(tx, chat.id, participant.id),
    };
  });
}

/** Locks the chat and returns it with the participant. @throws NotFound */
export async function lockParticipant(
  tx: Tx,
  chatId: number,
  id: number,
): Promise<{ chat: ChatRow; participant: ChatParticipantDetails }> {
  const chat = await lockChat(tx, chatId);
  if (chat === undefined) throw new NotFound('Chat');
  return { chat, participant: await findDetails(tx, chat.id, id) };
}

/** @throws Conflict `participant_required` for the member of the chat and the assistant that answers in it */
export function requireReplaceable(chat: ChatRow, { memberId }: { memberId: number }): void {
  if (memberId !== chat.memberId && memberId !== chat.assistantMemberId) return;
  const message =
    'The member of a chat and the assistant that answers in it always take part, with their roles.';
  throw new Conflict('participant_required', message);
}

async function findDetails(tx: Tx, chatId: number, id: number): Promise<ChatParticipantDetails> {
  const found = (await participantsOfChats(tx, [chatId])).find((participant) => participant.id === id);
  if (found === undefined) throw new NotFound('Participant');
  return found;
}

const assistantSettings = [
  'additionalInstructions',
  'chatModel',
  'realtimeModel',
  'chatModelConfig',
  'realtimeModelConfig',
] as const;

function requireAssistantFor({ memberKind }: ChatParticipantDetails, input: UpdateParticipant): void {
  if (memberKind === 'assistant') return;
  const given = assistantSettings.filter((field) => input[field] !== undefined && input[field] !== null);
  if (given.length === 0) return;
  throw InvalidInput.fields(given.map((field) => ({ pointer: `/${field}`, message: 'is for assistants' })));
}
