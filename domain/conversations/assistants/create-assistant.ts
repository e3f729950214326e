import {
  type AssistantRow,
  clearDefaultAssistant,
  insertAssistant,
} from '../../../db/conversations/assistants.js';
import { acceptModels } from '../../kernel/ai-models/accept-models.js';
import type { CommandContext } from '../../kernel/context.js';
import { assistantRoleId } from './assistant-role.js';
import { requireAssistant } from './require-assistant.js';

export interface CreateAssistant {
  name: string;
  /** How it is to behave in every chat, whatever the task. */
  instructions: string;
  /** Catalogue ids; null takes the recommended model. */
  chatModelId?: string | null;
  realtimeModelId?: string | null;
  chatModelConfig?: Record<string, unknown>;
  realtimeModelConfig?: Record<string, unknown>;
  /** Answers in chats that name no assistant; the workspace has one default at most. */
  isDefault?: boolean;
  enabled?: boolean;
}

/** What type of model each of an assistant's fields names. */
export const assistantModels = { chatModelId: 'chat', realtimeModelId: 'realtime' } as const;

/** Creates an assistant: a member of kind assistant with its configuration. */
export async function createAssistant(
  context: CommandContext,
  input: CreateAssistant,
): Promise<AssistantRow> {
  context.actor.require('assistants:write');
  const { chatModelId, realtimeModelId } = acceptModels(context.models, input, assistantModels);
  const now = context.clock.now();
  return context.db.inWorkspace(context.actor.workspaceId, async (tx) => {
    if (input.isDefault) await clearDefaultAssistant(tx);
    const id = await insertAssistant(tx, {
      name: input.name,
      instructions: input.instructions,
      chatModelId: chatModelId ?? null,
      realtimeModelId: realtimeModelId ?? null,
      chatModelConfig: input.chatModelConfig ?? {},
      realtimeModelConfig: input.realtimeModelConfig ?? {},
      isDefault: input.isDefault ?? false,
      enabled: input.enabled ?? true,
      memberRoleId: await assistantRoleId(tx, now),
      createdAt: now,
    });
    return requireAssistant(tx, id);
  });
}
