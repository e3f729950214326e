import {
  type AssistantRow,
  type AssistantValues,
  clearDefaultAssistant,
  insertAssistant,
} from '../../../db/conversations/assistants.js';
import { insertMemberRole, selectMemberRoles } from '../../../db/people/member-roles.js';
import { selectMemberDetails } from '../../../db/people/members.js';
import type { Tx } from '../../../db/tx.js';
import { acceptModels } from '../../kernel/ai-models/accept-models.js';
import type { CommandContext } from '../../kernel/context.js';
import { memberCreatedEvent } from '../../kernel/events/member-events.js';
import { writeEventsIfWanted } from '../../kernel/events/write-events.js';
import { defaultMemberRole } from '../../people/member-roles/default-member-role.js';
import { requireAssistant } from './read-assistants.js';

/** A model that is null is the recommended one. The default, at most one, answers in chats that name no assistant. */
export interface CreateAssistant extends Partial<AssistantValues> {
  name: string;
  instructions: string;
}

export const assistantModels = { chatModelId: 'chat', realtimeModelId: 'realtime' } as const;

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
    const assistant = await requireAssistant(tx, id);
    const read = async () => (await selectMemberDetails(tx, [assistant.memberId])).map(memberCreatedEvent);
    await writeEventsIfWanted(tx, ['member:created'], read, now);
    return assistant;
  });
}

/** Returns the workspace's first non-admin role, which is created if there is none. */
async function assistantRoleId(tx: Tx, now: Date): Promise<number> {
  const roles = await selectMemberRoles(tx);
  const plain = defaultMemberRole(roles);
  if (plain !== undefined) return plain.id;
  const taken = new Set(roles.map((role) => role.name));
  const free = ['Assistant', 'Assistants', 'Plain assistants'].find((candidate) => !taken.has(candidate));
  const name = free ?? `Assistants ${roles.length + 1}`;
  const role = { name, useAdmin: false, manageWorkspace: false, permissions: [] };
  return (await insertMemberRole(tx, role, now)).id;
}
