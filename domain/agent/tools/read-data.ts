import { recordsOfMember } from '../../../db/queries/data-records.js';
import { findDataTypeBySlug } from '../../../db/queries/data-types.js';
import { accessModes } from '../../data-records/record-access.js';
import type { Tool } from './tool.js';

const mostRecords = 20;

/** The member's newest records of one type, but for those that the member does not see: what the agent reads, it tells. */
export const readData: Tool = async ({ tx, chat }, input) => {
  const dataType = await findDataTypeBySlug(tx, String(input.dataType));
  if (dataType === undefined) return { ok: false, error: 'not_found' };
  const records = (await recordsOfMember(tx, chat.memberId))
    .filter(({ dataTypeId, accessMode }) => dataTypeId === dataType.id && accessMode !== accessModes.hidden)
    .slice(-mostRecords);
  return { ok: true, records: records.map((record) => record.fieldValues) };
};
