import { type QueryBuilder, raw } from 'objection';
import type { PageOf, PageRequest } from '../../domain/lib/paging.js';
import { containsPattern } from '../lib/contains-pattern.js';
import { readPage } from '../lib/read-page.js';
import { toRow } from '../lib/table-model.js';
import { prepared } from '../statement.js';
import type { Tx } from '../tx.js';
import {
  type WorkflowDefinitionRow as DefinitionColumns,
  WorkflowDefinitionModel,
  WorkflowDefinitionRoleModel,
} from './models/workflow-definition.js';

export interface WorkflowDefinitionRow extends DefinitionColumns {
  activeRevisionNumber: number | null;
  /** Roles that may use it; empty means everyone. */
  roleIds: number[];
}

export type WorkflowDefinitionValues = Pick<
  DefinitionColumns,
  'name' | 'description' | 'defaultPhoneNumberId' | 'assistantMemberId' | 'voiceIdentity'
>;

export type WorkflowDefinitionSort = 'name' | 'createdAt' | 'updatedAt';

export interface WorkflowDefinitionFilter {
  /** Part of the name; upper and lower case are the same. */
  search?: string | undefined;
  archived: boolean;
}

const sortColumns = { name: 'name', createdAt: 'created_at', updatedAt: 'updated_at' } as const;

const activeRevisionNumber = `(select revision.number from workflow_revisions revision
  where revision.id = workflow_definitions.active_revision_id)`;
const roleIds = `(select coalesce(json_agg(allowed.member_role_id order by allowed.member_role_id), '[]')
  from workflow_definition_roles allowed where allowed.definition_id = workflow_definitions.id)`;

function selectDefinitions(tx: Tx): QueryBuilder<WorkflowDefinitionModel> {
  return WorkflowDefinitionModel.query(tx).select(
    'workflow_definitions.*',
    raw(activeRevisionNumber).as('active_revision_number'),
    raw(roleIds).as('role_ids'),
  );
}

/** Lists a page of definitions in a stable order, with their total count. */
export async function selectWorkflowDefinitions(
  tx: Tx,
  filter: WorkflowDefinitionFilter,
  request: PageRequest<WorkflowDefinitionSort>,
): Promise<PageOf<WorkflowDefinitionRow>> {
  const query = selectDefinitions(tx);
  if (filter.archived) query.whereNotNull('archived_at');
  else query.whereNull('archived_at');
  if (filter.search !== undefined) query.where('name', 'ilike', containsPattern(filter.search));
  const found = await readPage(query, request, sortColumns[request.sortBy], 'id');
  return { ...found, items: found.items.map((model) => toRow(model) as WorkflowDefinitionRow) };
}

/** Finds a definition, also an archived one. */
export async function findWorkflowDefinition(tx: Tx, id: number): Promise<WorkflowDefinitionRow | undefined> {
  const [found] = await prepared<WorkflowDefinitionRow>(
    tx,
    `select ${WorkflowDefinitionModel.columns}, ${activeRevisionNumber} as "activeRevisionNumber",
       ${roleIds} as "roleIds"
     from workflow_definitions where id = ?`,
    [id],
  );
  return found;
}

/** Returns the name of a definition that is known to exist, because something refers to it. */
export async function findDefinitionName(tx: Tx, id: number): Promise<string> {
  const text = 'select name from workflow_definitions where id = ?';
  const [found] = await prepared<{ name: string }>(tx, text, [id]);
  if (found === undefined) throw new Error(`there is no workflow definition ${id}`);
  return found.name;
}

/** Serializes changes of a definition and its revisions. `no key update` lets assignments and chats refer to it. */
export async function lockWorkflowDefinition(tx: Tx, id: number): Promise<WorkflowDefinitionRow | undefined> {
  const locked = await WorkflowDefinitionModel.query(tx).select('id').findById(id).forNoKeyUpdate();
  return locked === undefined ? undefined : findWorkflowDefinition(tx, id);
}

export async function insertWorkflowDefinition(
  tx: Tx,
  values: WorkflowDefinitionValues & { createdAt: Date },
): Promise<number> {
  const row = await WorkflowDefinitionModel.query(tx)
    .insert({ ...values, updatedAt: values.createdAt, workspaceId: tx.workspaceId })
    .returning('id');
  return row.id;
}

export async function patchWorkflowDefinition(
  tx: Tx,
  id: number,
  changes: Partial<WorkflowDefinitionValues> & {
    activeRevisionId?: number;
    archivedAt?: Date;
    heldAt?: Date | null;
    heldReason?: string | null;
    updatedAt: Date;
  },
): Promise<void> {
  await WorkflowDefinitionModel.query(tx).findById(id).patch(changes);
}

export async function replaceDefinitionRoles(tx: Tx, definitionId: number, roleIds: number[]): Promise<void> {
  await WorkflowDefinitionRoleModel.query(tx).delete().where({ definition_id: definitionId });
  if (roleIds.length === 0) return;
  await WorkflowDefinitionRoleModel.query(tx).insert(
    roleIds.map((memberRoleId) => ({ workspaceId: tx.workspaceId, definitionId, memberRoleId })),
  );
}

/** Whether a definition that is not archived names this member as its assistant. */
export async function isDefinitionAssistant(tx: Tx, memberId: number): Promise<boolean> {
  const definition = await WorkflowDefinitionModel.query(tx)
    .select('id')
    .findOne({ assistant_member_id: memberId })
    .whereNull('archived_at');
  return definition !== undefined;
}
