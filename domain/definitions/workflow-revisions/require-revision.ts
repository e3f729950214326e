import type { Tx } from '../../../db/database.js';
import {
  findWorkflowRevision,
  type WorkflowRevisionRow,
} from '../../../db/definitions/workflow-revisions.js';
import { Conflict, NotFound } from '../../lib/errors.js';

/** A revision of this definition. @throws NotFound */
export async function requireRevision(
  tx: Tx,
  definitionId: number,
  revisionId: number,
): Promise<WorkflowRevisionRow> {
  const revision = await findWorkflowRevision(tx, definitionId, revisionId);
  if (revision === undefined) throw new NotFound('Workflow revision');
  return revision;
}

/** The error for a change to a published revision. */
export function revisionPublished(): Conflict {
  return new Conflict('revision_published', 'The revision is published and cannot change any more.');
}
