import type { PageOf, PageRequest } from '../../domain/lib/paging.js';
import { readPage } from '../lib/read-page.js';
import { toRow } from '../lib/table-model.js';
import type { Tx } from '../tx.js';
import { EventRuleModel, type EventRuleRow } from './models/event-rule.js';

export type { EventRuleRow } from './models/event-rule.js';

export type EventRuleSort = 'name' | 'createdAt' | 'updatedAt';

const sortColumns = { name: 'name', createdAt: 'created_at', updatedAt: 'updated_at' } as const;

/** Lists a page of the workspace's rules; this and the functions below leave deleted ones out. */
export async function selectEventRules(
  tx: Tx,
  filter: { eventType?: string | undefined; enabled?: boolean | undefined },
  request: PageRequest<EventRuleSort>,
): Promise<PageOf<EventRuleRow>> {
  const query = EventRuleModel.query(tx).whereNull('deleted_at');
  if (filter.eventType !== undefined) query.where({ event_type: filter.eventType });
  if (filter.enabled !== undefined) query.where({ enabled: filter.enabled });
  const found = await readPage(query, request, sortColumns[request.sortBy], 'id');
  return { ...found, items: found.items.map(toRow) };
}

export async function findEventRule(tx: Tx, id: number): Promise<EventRuleRow | undefined> {
  return EventRuleModel.first(tx, 'id = ? and deleted_at is null', [id]);
}

export async function lockEventRule(tx: Tx, id: number): Promise<EventRuleRow | undefined> {
  return EventRuleModel.first(tx, 'id = ? and deleted_at is null for no key update', [id]);
}

export async function countEventRules(tx: Tx): Promise<number> {
  return EventRuleModel.count(tx, 'workspace_id = ? and deleted_at is null', [tx.workspaceId]);
}

export async function insertEventRule(
  tx: Tx,
  values: Pick<
    EventRuleRow,
    'name' | 'eventType' | 'actionType' | 'webhookEndpointId' | 'createdByMemberId' | 'createdAt'
  >,
): Promise<EventRuleRow> {
  return EventRuleModel.insert(tx, { ...values, updatedAt: values.createdAt });
}

export async function patchEventRule(
  tx: Tx,
  id: number,
  changes: Partial<Omit<EventRuleRow, 'id' | 'workspaceId' | 'uuid'>>,
): Promise<EventRuleRow> {
  return EventRuleModel.patch(tx, id, changes);
}
