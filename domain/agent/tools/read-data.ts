import { findDataTypeBySlug } from '../../../db/records/data-types.js';
import { newestRecords } from '../../records/data-records/queries/newest-records.js';
import type { Tool } from './tool.js';

/** Limits on the result of one call, which the model receives and the chat stores. */
const bounds = { maxRecords: 20, maxBytes: 64 * 1_024 };

/**
 * Returns the member's newest records of one data type. Leaves out records that are hidden from the member, because the
 * agent may repeat what it reads.
 */
export const readData: Tool = async ({ tx, chat }, input) => {
  const dataType = await findDataTypeBySlug(tx, String(input.dataType));
  if (dataType === undefined) return { ok: false, error: 'not_found' };
  const of = { memberId: chat.memberId, withHidden: false };
  const [found] = await newestRecords(tx, [dataType], of, bounds);
  const { records = [], isPartial = false } = found ?? {};
  return { ok: true, records, ...(isPartial ? { note: 'Only the newest records are here.' } : {}) };
};
