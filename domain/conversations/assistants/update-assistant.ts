import {
  type AssistantRow,
  clearDefaultAssistant,
  patchAssistant,
} from '../../../db/conversations/assistants.js';
import { acceptModels } from '../../kernel/ai-models/accept-models.js';
import type { CommandContext } from '../../kernel/context.js';
import { changeMembers } from '../../people/members/change-member.js';
import { assistantModels, type CreateAssistant } from './create-assistant.js';
import { lockAssistant, requireAssistant } from './read-assistants.js';

/** Changes only the given fields. A new default assistant replaces the previous one. */
export async function updateAssistant(
  context: CommandContext,
  id: number,
  input: Partial<CreateAssistant>,
): Promise<AssistantRow> {
  context.actor.require('assistants:write');
  const models = acceptModels(context.models, input, assistantModels);
  const { name, ...configuration } = input;
  const now = context.clock.now();
  return context.db.inWorkspace(context.actor.workspaceId, async (tx) => {
    if (input.isDefault) await clearDefaultAssistant(tx);
    const assistant = await lockAssistant(tx, id);
    await patchAssistant(tx, assistant.id, { ...configuration, ...models, updatedAt: now });
    const member = { id: assistant.memberId };
    if (name !== undefined) await changeMembers(tx, { now }, [{ member, changes: { name } }]);
    return requireAssistant(tx, id);
  });
}
