import { findAssistantForChat } from '../../../db/conversations/assistants.js';
import { findWorkflowDefinition } from '../../../db/definitions/workflow-definitions.js';
import type { SiteRow } from '../../../db/sites/sites.js';
import type { Tx } from '../../../db/tx.js';

/** What chats of visitors begin with: a workflow, in which another assistant may answer than its own, or an assistant alone. */
export interface OfferedChat {
  definitionId: number | null;
  assistantMemberId: number | null;
}

/**
 * The chat that a site offers its visitors: with its workflow, while that is in use and has an active revision; or, where it
 * names no workflow, with its assistant, while that is enabled. Undefined: none.
 */
export async function offeredChat(
  tx: Tx,
  { isPublic, defaultDefinitionId, defaultAssistantMemberId, visitorChatsPerDay }: SiteRow,
): Promise<OfferedChat | undefined> {
  if (!isPublic || visitorChatsPerDay === 0) return undefined;
  const offered = { definitionId: defaultDefinitionId, assistantMemberId: defaultAssistantMemberId };
  if (defaultDefinitionId !== null) {
    const definition = await findWorkflowDefinition(tx, defaultDefinitionId);
    return definition?.archivedAt === null && definition.activeRevisionId !== null ? offered : undefined;
  }
  if (defaultAssistantMemberId === null) return undefined;
  // Another assistant, such as the default one, does not stand in: its instructions may not be for strangers.
  const assistant = await findAssistantForChat(tx, { assistantMemberId: defaultAssistantMemberId });
  return assistant?.memberId === defaultAssistantMemberId ? offered : undefined;
}

export async function chatIsOffered(tx: Tx, site: SiteRow): Promise<boolean> {
  return (await offeredChat(tx, site)) !== undefined;
}
