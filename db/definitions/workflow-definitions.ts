import type { PageOf, PageRequest } from '../../domain/lib/paging.js';
import { containsPattern } from '../lib/contains-pattern.js';
import { readPage } from '../lib/read-page.js';
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
  /** Member of the assistant that it names. */
  assistantMemberId?: number | undefined;
  archived: boolean;
}

const sortColumns = { name: 'name', createdAt: 'created_at', updatedAt: 'updated_at' } as const;

const selection = `select ${WorkflowDefinitionModel.columns},
    (select revision.number from workflow_revisions revision
      where revision.id = workflow_definitions.active_revision_id) as "activeRevisionNumber",
    (select coalesce(json_agg(allowed.member_role_id order by allowed.member_role_id), '[]')
      from workflow_definition_roles allowed where allowed.definition_id = workflow_definitions.id) as "roleIds"
  from workflow_definitions`;

/** Lists a page of definitions in a stable order, with their total count. */
export async function selectWorkflowDefinitions(
  tx: Tx,
  filter: WorkflowDefinitionFilter,
  request: PageRequest<WorkflowDefinitionSort>,
): Promise<PageOf<WorkflowDefinitionRow>> {
  const query = WorkflowDefinitionModel.query(tx).select('id');
  if (filter.archived) query.whereNotNull('archived_at');
  else query.whereNull('archived_at');
  if (filter.assistantMemberId !== undefined) query.where('assistant_member_id', filter.assistantMemberId);
  if (filter.search !== undefined) query.where('name', 'ilike', containsPattern(filter.search));
  const { items, ...found } = await readPage(query, request, sortColumns[request.sortBy], 'id');
  const ids = items.map(({ id }) => id);
  const ofPage = `${selection} where id = any(?) order by array_position(?::bigint[], id)`;
  return { ...found, items: await prepared<WorkflowDefinitionRow>(tx, ofPage, [ids, ids]) };
}

/** Finds a definition, also an archived one. */
export async function findWorkflowDefinition(tx: Tx, id: number): Promise<WorkflowDefinitionRow | undefined> {
  return (await prepared<WorkflowDefinitionRow>(tx, `${selection} where id = ?`, [id]))[0];
}

/** Returns the name of a definition that is known to exist, because something refers to it. */
export async function findDefinitionName(tx: Tx, id: number): Promise<string> {
  const [found] = await WorkflowDefinitionModel.pick(tx, ['name'], 'id = ?', [id]);
  if (found === undefined) throw new Error(`there is no workflow definition ${id}`);
  return found.name;
}

/** Serializes changes of a definition and its revisions. `no key update` lets assignments and chats refer to it. */
export async function lockWorkflowDefinition(tx: Tx, id: number): Promise<WorkflowDefinitionRow | undefined> {
  const [locked] = await WorkflowDefinitionModel.pick(tx, ['id'], 'id = ? for no key update', [id]);
  return locked && findWorkflowDefinition(tx, id);
}

export async function insertWorkflowDefinition(
  tx: Tx,
  values: WorkflowDefinitionValues & { createdAt: Date },
): Promise<number> {
  return (await WorkflowDefinitionModel.insert(tx, { ...values, updatedAt: values.createdAt })).id;
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
  await WorkflowDefinitionModel.updateWhere(tx, changes, 'id = ?', [id]);
}

export async function replaceDefinitionRoles(tx: Tx, definitionId: number, roleIds: number[]): Promise<void> {
  await WorkflowDefinitionRoleModel.deleteWhere(tx, 'definition_id = ?', [definitionId]);
  if (roleIds.length === 0) return;
  const rows = roleIds.map((memberRoleId) => ({ definitionId, memberRoleId }));
  await WorkflowDefinitionRoleModel.insertAll(tx, rows);
}

/** Whether a definition that is not archived names this member as its assistant. */
export async function isDefinitionAssistant(tx: Tx, memberId: number): Promise<boolean> {
  return WorkflowDefinitionModel.exists(tx, 'assistant_member_id = ? and archived_at is null', [memberId]);
}

export type DefinitionName = Pick<WorkflowDefinitionRow, 'id' | 'name'>;

/** The workflows in use in which an ability has this in its configuration, by name. */
export async function selectDefinitionsWithAbility(
  tx: Tx,
  abilityType: string,
  part: Record<string, unknown>,
): Promise<DefinitionName[]> {
  return prepared(
    tx,
    `select definition.id, definition.name from workflow_definitions definition
      where definition.archived_at is null and exists (
        select from workflow_tasks task join workflow_task_abilities ability on ability.task_id = task.id
         where task.revision_id = definition.active_revision_id
           and ability.ability_type = ? and ability.enabled and ability.config @> ?::jsonb)
      order by definition.name, definition.id limit 100`,
    [abilityType, JSON.stringify(part)],
  );
}
