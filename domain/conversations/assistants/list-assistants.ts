import {
  type AssistantRow,
  type AssistantSort,
  listAssistants as listAssistantRows,
} from '../../../db/conversations/assistants.js';
import type { CommandContext } from '../../kernel/context.js';
import type { PageOf, PageRequest } from '../../lib/paging.js';

export async function listAssistants(
  context: CommandContext,
  query: PageRequest<AssistantSort> & { search?: string },
): Promise<PageOf<AssistantRow>> {
  return context.db.readInWorkspace(context.actor.workspaceId, (tx) => listAssistantRows(tx, query, query));
}
