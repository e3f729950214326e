import type { AssistantRow } from '../../../db/conversations/assistants.js';
import type { CommandContext } from '../../kernel/context.js';
import { requireAssistant } from './require-assistant.js';

/** @throws NotFound */
export async function getAssistant(context: CommandContext, id: number): Promise<AssistantRow> {
  return context.db.readInWorkspace(context.actor.workspaceId, (tx) => requireAssistant(tx, id));
}
