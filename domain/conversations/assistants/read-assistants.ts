import {
  type AssistantRow,
  type AssistantSort,
  findAssistant,
  lockAssistantMember,
  selectAssistants,
} from '../../../db/conversations/assistants.js';
import type { Tx } from '../../../db/tx.js';
import type { CommandContext } from '../../kernel/context.js';
import { NotFound } from '../../lib/errors.js';
import type { PageOf, PageRequest } from '../../lib/paging.js';

export async function listAssistants(
  { db, actor }: CommandContext,
  query: PageRequest<AssistantSort> & { search?: string },
): Promise<PageOf<AssistantRow>> {
  return db.readInWorkspace(actor.workspaceId, (tx) => selectAssistants(tx, query, query));
}

/** @throws NotFound */
export async function getAssistant({ db, actor }: CommandContext, id: number): Promise<AssistantRow> {
  return db.readInWorkspace(actor.workspaceId, (tx) => requireAssistant(tx, id));
}

/** @throws NotFound */
export async function requireAssistant(tx: Tx, id: number): Promise<AssistantRow> {
  const assistant = await findAssistant(tx, id);
  if (assistant === undefined) throw new NotFound('Assistant');
  return assistant;
}

/** Returns the assistant after locking its member's row, which serializes changes and deletion. @throws NotFound */
export async function lockAssistant(tx: Tx, id: number): Promise<AssistantRow> {
  const { memberId } = await requireAssistant(tx, id);
  await lockAssistantMember(tx, memberId);
  return requireAssistant(tx, id);
}
