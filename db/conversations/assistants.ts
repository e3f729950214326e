import { fn, type QueryBuilder, ref } from 'objection';
import type { PageOf, PageRequest } from '../../domain/lib/paging.js';
import { containsPattern } from '../lib/contains-pattern.js';
import { readPage } from '../lib/read-page.js';
import { toRow, toRowOrUndefined } from '../lib/table-model.js';
import { MemberModel } from '../people/models/member.js';
import { prepared } from '../statement.js';
import type { Tx } from '../tx.js';
import { type AssistantRow as AssistantColumns, AssistantModel } from './models/assistant.js';

export interface AssistantRow extends AssistantColumns {
  name: string;
}

type Managed = 'id' | 'workspaceId' | 'uuid' | 'memberId' | 'createdAt' | 'updatedAt';
export type AssistantValues = Omit<AssistantColumns, Managed>;

export type AssistantSort = 'name' | 'createdAt' | 'updatedAt';

const sortColumns = {
  name: 'members.name',
  createdAt: 'assistants.created_at',
  updatedAt: 'assistants.updated_at',
} as const;

function withNames(tx: Tx): QueryBuilder<AssistantModel> {
  return AssistantModel.query(tx)
    .join('members', 'members.id', 'assistants.member_id')
    .whereNull('members.deleted_at')
    .select('assistants.*', fn.coalesce(ref('members.name'), '').as('name'));
}

export async function selectAssistants(
  tx: Tx,
  filter: { search?: string | undefined },
  request: PageRequest<AssistantSort>,
): Promise<PageOf<AssistantRow>> {
  const query = withNames(tx);
  if (filter.search !== undefined) query.where('members.name', 'ilike', containsPattern(filter.search));
  const found = await readPage(query, request, sortColumns[request.sortBy], 'assistants.id');
  return { ...found, items: found.items.map((row) => toRow(row) as AssistantRow) };
}

export async function findAssistant(tx: Tx, id: number): Promise<AssistantRow | undefined> {
  return toRowOrUndefined(await withNames(tx).findById(id)) as AssistantRow | undefined;
}

/** The assistants of these members, in no particular order. */
export async function selectAssistantsOfMembers(
  tx: Tx,
  memberIds: readonly number[],
): Promise<AssistantRow[]> {
  if (memberIds.length === 0) return [];
  const found = await withNames(tx).whereIn('assistants.member_id', [...memberIds]);
  return found.map((row) => toRow(row) as AssistantRow);
}

const forChat = `select ${AssistantModel.columns}, coalesce(members.name, '') as name
   from assistants
   join members on members.id = assistants.member_id
   left join workflow_definitions definition on definition.id = ?::bigint
   where assistants.enabled and members.deleted_at is null
     and (assistants.is_default or assistants.member_id in (definition.assistant_member_id, ?::bigint))
   order by case when assistants.member_id = ?::bigint then 1
                 when assistants.member_id = definition.assistant_member_id then 2
                 else 3 end
   limit 1`;

/** Finds the enabled assistant that answers in a chat: the one named for it, its definition's, or the default. */
export async function findAssistantForChat(
  tx: Tx,
  chat: { assistantMemberId?: number | null; definitionId?: number | null },
): Promise<AssistantRow | null> {
  const named = chat.assistantMemberId ?? null;
  const [found] = await prepared<AssistantRow>(tx, forChat, [chat.definitionId ?? null, named, named]);
  return found ?? null;
}

/** Whether this member is an assistant that can be given work; protects it from deletion until the transaction ends. */
export async function holdAssistantMember(tx: Tx, memberId: number): Promise<boolean> {
  return MemberModel.exists(tx, `id = ? and kind = 'assistant' and deleted_at is null for share`, [memberId]);
}

/** Locks the assistant's member until the transaction ends; waits for transactions that protect it from deletion. */
export async function lockAssistantMember(tx: Tx, memberId: number): Promise<void> {
  await MemberModel.pick(tx, ['id'], 'id = ? for update', [memberId]);
}

/** Clears the default assistant, before another is set. Concurrent calls run one after the other. */
export async function clearDefaultAssistant(tx: Tx): Promise<void> {
  const lock = `default assistant of workspace ${tx.workspaceId}`;
  await prepared(tx, 'select pg_advisory_xact_lock(hashtextextended(?, 0))', [lock]);
  await AssistantModel.updateWhere(tx, { isDefault: false }, 'is_default');
}

export async function insertAssistant(
  tx: Tx,
  values: AssistantValues & { name: string; memberRoleId: number; createdAt: Date },
): Promise<number> {
  const { name, memberRoleId, ...configuration } = values;
  const at = { createdAt: values.createdAt, updatedAt: values.createdAt };
  const member = await MemberModel.insert(tx, { ...at, kind: 'assistant', name, memberRoleId });
  const assistant = await AssistantModel.insert(tx, { ...configuration, ...at, memberId: member.id });
  return assistant.id;
}

/** Updates an assistant's configuration. Its name is stored with its member. */
export async function patchAssistant(
  tx: Tx,
  id: number,
  changes: Partial<AssistantValues> & { updatedAt: Date },
): Promise<void> {
  await AssistantModel.updateWhere(tx, changes, 'id = ?', [id]);
}

/** Disables the assistant and deletes its member; its messages stay readable. */
export async function retireAssistant(
  tx: Tx,
  assistant: Pick<AssistantRow, 'id' | 'memberId'>,
  at: Date,
): Promise<void> {
  const retired = { enabled: false, isDefault: false, updatedAt: at };
  await AssistantModel.updateWhere(tx, retired, 'id = ?', [assistant.id]);
  await MemberModel.updateWhere(tx, { deletedAt: at, updatedAt: at }, 'id = ?', [assistant.memberId]);
}
