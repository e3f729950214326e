import type { Tx } from '../../../db/database.js';
import {
  findWorkflowDefinition,
  type WorkflowDefinitionRow,
} from '../../../db/definitions/workflow-definitions.js';
import type { SiteRow } from '../../../db/sites/sites.js';

/** The workflow that visitors of a site begin chats with: that of the site, while it is in use and has an active revision. */
export async function offeredDefinition(
  tx: Tx,
  { isPublic, defaultDefinitionId, visitorChatsPerDay }: SiteRow,
): Promise<WorkflowDefinitionRow | undefined> {
  if (!isPublic || defaultDefinitionId === null || visitorChatsPerDay === 0) return undefined;
  const definition = await findWorkflowDefinition(tx, defaultDefinitionId);
  const isInUse = definition?.archivedAt === null && definition.activeRevisionId !== null;
  return isInUse ? definition : undefined;
}

export async function chatIsOffered(tx: Tx, site: SiteRow): Promise<boolean> {
  return (await offeredDefinition(tx, site)) !== undefined;
}
