import type { PageOf, PageRequest } from '../../domain/lib/paging.js';
import { containsPattern } from '../lib/contains-pattern.js';
import { readPage } from '../lib/read-page.js';
import { toRow } from '../lib/table-model.js';
import type { Tx } from '../tx.js';
import { MessageTemplateModel, type MessageTemplateRow } from './models/message-template.js';

export type { MessageTemplateRow } from './models/message-template.js';

export type MessageTemplateSortField = 'name' | 'shortcut' | 'createdAt';
export type MessageTemplateValues = Pick<MessageTemplateRow, 'name' | 'shortcut' | 'text' | 'translations'>;

const sortColumns = { name: 'name', shortcut: 'shortcut', createdAt: 'created_at' };

/** `search` matches parts of name, shortcut and text. */
export async function selectMessageTemplates(
  tx: Tx,
  search: string | undefined,
  page: PageRequest<MessageTemplateSortField>,
): Promise<PageOf<MessageTemplateRow>> {
  const query = MessageTemplateModel.query(tx);
  if (search !== undefined) {
    const part = containsPattern(search);
    query.where((any) => {
      any.whereILike('name', part).orWhereILike('shortcut', part).orWhereILike('text', part);
    });
  }
  const found = await readPage(query, page, sortColumns[page.sortBy], 'id');
  return { ...found, items: found.items.map(toRow) };
}

export async function findMessageTemplate(tx: Tx, id: number): Promise<MessageTemplateRow | undefined> {
  return MessageTemplateModel.find(tx, id);
}

export async function countMessageTemplates(tx: Tx): Promise<number> {
  return MessageTemplateModel.count(tx, 'true');
}

export async function insertMessageTemplate(
  tx: Tx,
  values: MessageTemplateValues,
  now: Date,
): Promise<MessageTemplateRow> {
  return MessageTemplateModel.insert(tx, { ...values, createdAt: now, updatedAt: now });
}

export async function patchMessageTemplate(
  tx: Tx,
  id: number,
  changes: Partial<MessageTemplateValues>,
  now: Date,
): Promise<MessageTemplateRow | undefined> {
  const [row] = await MessageTemplateModel.updateReturning(tx, { ...changes, updatedAt: now }, 'id = ?', [
    id,
  ]);
  return row;
}

/** @returns whether there was one */
export async function removeMessageTemplate(tx: Tx, id: number): Promise<boolean> {
  return (await MessageTemplateModel.deleteWhere(tx, 'id = ?', [id])) > 0;
}
