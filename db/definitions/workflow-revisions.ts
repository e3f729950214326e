import type { PageOf, PageRequest } from '../../domain/lib/paging.js';
import { readPage } from '../lib/read-page.js';
import { toRow } from '../lib/table-model.js';
import type { Tx } from '../tx.js';
import { WorkflowRevisionModel, type WorkflowRevisionRow } from './models/workflow-revision.js';

export type { WorkflowRevisionRow } from './models/workflow-revision.js';

export type WorkflowRevisionSort = 'number' | 'createdAt' | 'updatedAt';

const sortColumns = { number: 'number', createdAt: 'created_at', updatedAt: 'updated_at' } as const;

/** Lists a page of a definition's revisions, with their total count. */
export async function selectWorkflowRevisions(
  tx: Tx,
  definitionId: number,
  request: PageRequest<WorkflowRevisionSort>,
): Promise<PageOf<WorkflowRevisionRow>> {
  const query = WorkflowRevisionModel.query(tx).where({ definition_id: definitionId });
  const found = await readPage(query, request, sortColumns[request.sortBy], 'id');
  return { ...found, items: found.items.map(toRow) };
}

/** Finds a revision of this definition; undefined for one of another definition. */
export async function findWorkflowRevision(tx: Tx, definitionId: number, id: number) {
  return WorkflowRevisionModel.first(tx, 'id = ? and definition_id = ?', [id, definitionId]);
}

/** The definition of a revision; undefined where there is no such revision. */
export async function definitionOfRevision(tx: Tx, id: number): Promise<number | undefined> {
  return (await WorkflowRevisionModel.find(tx, id))?.definitionId;
}

/** Finds the revision that new chats and assignments of a definition run on; undefined where none is active. */
export async function findActiveRevision(tx: Tx, definitionId: number) {
  const isActive = 'id = (select active_revision_id from workflow_definitions where id = ?)';
  return WorkflowRevisionModel.first(tx, isActive, [definitionId]);
}

/** Returns the number of the definition's next revision. Call it under the definition's lock. */
export async function nextRevisionNumber(tx: Tx, definitionId: number): Promise<number> {
  const last = await WorkflowRevisionModel.first(tx, 'definition_id = ? order by number desc', [
    definitionId,
  ]);
  return (last?.number ?? 0) + 1;
}

export async function insertWorkflowRevision(
  tx: Tx,
  values: { definitionId: number; number: number; name: string; createdAt: Date },
): Promise<WorkflowRevisionRow> {
  return WorkflowRevisionModel.insert(tx, { ...values, updatedAt: values.createdAt });
}

const draft = 'id = ? and published_at is null';

/** Updates or publishes a draft; a published revision never changes. @returns whether it was a draft */
export async function patchDraftRevision(
  tx: Tx,
  id: number,
  changes: { name?: string; publishedAt?: Date; publishedByMemberId?: number; updatedAt: Date },
): Promise<boolean> {
  return (await WorkflowRevisionModel.updateWhere(tx, changes, draft, [id])) > 0;
}

/** Deletes a draft with its tasks. @returns whether it was a draft */
export async function removeDraftRevision(tx: Tx, id: number): Promise<boolean> {
  return (await WorkflowRevisionModel.deleteWhere(tx, draft, [id])) > 0;
}
