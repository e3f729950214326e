import { recordsOfMember } from '../../../db/queries/data-records.js';
import { findDataTypeBySlug } from '../../../db/queries/data-types.js';
import type { Tool } from './tool.js';

const mostRecords = 20;

/** The member's newest records of one type. */
export const readData: Tool = async ({ tx, chat }, input) => {
  const dataType = await findDataTypeBySlug(tx, String(input.dataType));
  if (dataType === undefined) return { ok: false, error: 'not_found' };
  const records = (await recordsOfMember(tx, chat.memberId))
    .filter((record) => record.dataTypeId === dataType.id)
    .slice(-mostRecords);
  return { ok: true, records: records.map((record) => record.fieldValues) };
};
