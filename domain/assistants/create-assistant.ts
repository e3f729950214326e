import { type AssistantRow, clearDefaultAssistant, insertAssistant } from '../../db/queries/assistants.js';
import type { CommandContext } from '../context.js';
import { assistantRoleId } from './assistant-role.js';
import { requireAssistant } from './require-assistant.js';

export interface CreateAssistant {
  name: string;
  /** How it is to behave in every chat, whatever the task. */
  instructions: string;
  /** Catalogue ids; null takes the configured model. */
  chatModelId?: string | null;
  realtimeModelId?: string | null;
  chatModelConfig?: Record<string, unknown>;
  realtimeModelConfig?: Record<string, unknown>;
  /** Answers in chats that name no assistant; the workspace has one default at most. */
  isDefault?: boolean;
  enabled?: boolean;
}

/** Creates an assistant: a member of kind assistant with its configuration. */
export async function createAssistant(
  context: CommandContext,
  input: CreateAssistant,
): Promise<AssistantRow> {
  context.actor.require('assistants:write');
  const now = context.clock.now();
  return context.db.inWorkspace(context.actor.workspaceId, async (tx) => {
    if (input.isDefault) await clearDefaultAssistant(tx);
    const id = await insertAssistant(tx, {
      name: input.name,
      instructions: input.instructions,
      chatModelId: input.chatModelId ?? null,
      realtimeModelId: input.realtimeModelId ?? null,
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
