import { retireAssistant } from '../../../db/conversations/assistants.js';
import { isDefinitionAssistant } from '../../../db/definitions/workflow-definitions.js';
import type { CommandContext } from '../../kernel/context.js';
import { Conflict } from '../../lib/errors.js';
import { lockAssistant } from './read-assistants.js';

/**
 * Disables an assistant and deletes its member; its messages stay readable. @throws Conflict while a workflow names it
 */
export async function deleteAssistant(context: CommandContext, id: number): Promise<void> {
  context.actor.require('assistants:write');
  await context.db.inWorkspace(context.actor.workspaceId, async (tx) => {
    const assistant = await lockAssistant(tx, id);
    if (await isDefinitionAssistant(tx, assistant.memberId)) {
      throw new Conflict('assistant_in_use', 'The assistant is the assistant of a workflow.');
    }
    await retireAssistant(tx, assistant, context.clock.now());
  });
}
