import type { PageOf, PageRequest } from '../../domain/lib/paging.js';
import { containsPattern } from '../lib/contains-pattern.js';
import { readPage } from '../lib/read-page.js';
import { toRow, toRowOrUndefined } from '../lib/table-model.js';
import type { Tx } from '../tx.js';
import { PhoneNumberModel, type PhoneNumberRow } from './models/phone-number.js';

export type { PhoneNumberRow } from './models/phone-number.js';

export type PhoneNumberSort = 'name' | 'number' | 'createdAt' | 'updatedAt';

type PhoneNumberValues = Pick<
  PhoneNumberRow,
  'name' | 'smsEnabled' | 'mmsEnabled' | 'voiceEnabled' | 'inboundDefinitionId' | 'segmentsPerSecond'
> &
  Partial<Pick<PhoneNumberRow, 'businessHours' | 'greeting'>>;

const sortColumns = {
  name: 'name',
  number: 'number',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
} as const;

/** @param filter `search` matches parts of name or number */
export async function selectPhoneNumbers(
  tx: Tx,
  filter: { search?: string | undefined },
  request: PageRequest<PhoneNumberSort>,
): Promise<PageOf<PhoneNumberRow>> {
  const query = PhoneNumberModel.query(tx);
  if (filter.search !== undefined) {
    const pattern = containsPattern(filter.search);
    query.where((either) => {
      either.where('name', 'ilike', pattern).orWhere('number', 'like', pattern);
    });
  }
  const found = await readPage(query, request, sortColumns[request.sortBy], 'id');
  return { ...found, items: found.items.map(toRow) };
}

export async function findPhoneNumber(tx: Tx, id: number): Promise<PhoneNumberRow | undefined> {
  return PhoneNumberModel.find(tx, id);
}

export async function findPhoneNumberByNumber(tx: Tx, number: string): Promise<PhoneNumberRow | undefined> {
  return PhoneNumberModel.first(tx, 'number = ?', [number]);
}

/** Lists, up to `limit`, the numbers that call and are called. */
export async function selectVoiceNumbers(tx: Tx, limit: number): Promise<PhoneNumberRow[]> {
  return PhoneNumberModel.where(tx, 'voice_enabled order by id limit ?', [limit]);
}

/** Nothing new can refer to the row until the transaction ends. */
export async function lockPhoneNumber(tx: Tx, id: number): Promise<PhoneNumberRow | undefined> {
  return toRowOrUndefined(await PhoneNumberModel.query(tx).findById(id).forUpdate());
}

/** Inserts a number and returns its row; undefined when the workspace has this number already. */
export async function insertPhoneNumber(
  tx: Tx,
  values: PhoneNumberValues & { number: string; createdAt: Date },
): Promise<PhoneNumberRow | undefined> {
  const inserted = await PhoneNumberModel.query(tx)
    .insert({ ...values, updatedAt: values.createdAt, workspaceId: tx.workspaceId })
    .onConflict(['workspace_id', 'number'])
    .ignore()
    .returning('*');
  // An ignored row is returned as it was given, without an id.
  return inserted.id === undefined ? undefined : toRow(inserted);
}

export async function patchPhoneNumber(
  tx: Tx,
  id: number,
  changes: Partial<PhoneNumberValues> & { updatedAt: Date },
): Promise<PhoneNumberRow | undefined> {
  const rows = await PhoneNumberModel.query(tx).patch(changes).where({ id }).returning('*');
  return toRowOrUndefined(rows[0]);
}

export async function isPhoneNumberInUse(tx: Tx, id: number): Promise<boolean> {
  const used = (table: 'chats' | 'phone_calls') => tx(table).select('id').where({ phone_number_id: id });
  if ((await used('chats').first()) !== undefined) return true;
  // Calls that were refused have no chat, and go with the number.
  return (await used('phone_calls').whereNotNull('chat_id').first()) !== undefined;
}

export async function removePhoneNumber(tx: Tx, id: number): Promise<void> {
  await PhoneNumberModel.query(tx).deleteById(id);
}
