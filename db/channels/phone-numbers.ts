import type { PageOf, PageRequest } from '../../domain/lib/paging.js';
import { PhoneCallModel } from '../calls/models/phone-call.js';
import { ChatModel } from '../conversations/models/chat.js';
import { containsPattern } from '../lib/contains-pattern.js';
import { readPage } from '../lib/read-page.js';
import { toRow } from '../lib/table-model.js';
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
  return PhoneNumberModel.first(tx, 'id = ? for update', [id]);
}

/** Inserts a number and returns its row; undefined when the workspace has this number already. */
export async function insertPhoneNumber(
  tx: Tx,
  values: PhoneNumberValues & { number: string; createdAt: Date },
): Promise<PhoneNumberRow | undefined> {
  return PhoneNumberModel.insertOnce(tx, { ...values, updatedAt: values.createdAt }, ['number']);
}

export async function patchPhoneNumber(
  tx: Tx,
  id: number,
  changes: Partial<PhoneNumberValues> & { updatedAt: Date },
): Promise<PhoneNumberRow | undefined> {
  const [row] = await PhoneNumberModel.updateReturning(tx, changes, 'id = ?', [id]);
  return row;
}

export async function isPhoneNumberInUse(tx: Tx, id: number): Promise<boolean> {
  if (await ChatModel.exists(tx, 'phone_number_id = ?', [id])) return true;
  // Calls that were refused have no chat, and go with the number.
  return PhoneCallModel.exists(tx, 'phone_number_id = ? and chat_id is not null', [id]);
}

export async function removePhoneNumber(tx: Tx, id: number): Promise<void> {
  await PhoneNumberModel.deleteWhere(tx, 'id = ?', [id]);
}
