import type { DataTypeRow } from '../../../../db/records/data-types.js';
import { type NewestRecords, newestDataRecords } from '../../../../db/records/newest-data-records.js';
import type { Tx } from '../../../../db/tx.js';
import type { FieldValues } from '../../field-values.js';

interface NewestOfType {
  dataType: DataTypeRow;
  records: FieldValues[];
  /** Whether the member has more records than these. */
  isPartial: boolean;
}

/** Reads a member's newest records of each of these types, oldest first, within the given limits. */
export async function newestRecords(
  tx: Tx,
  dataTypes: readonly DataTypeRow[],
  of: Pick<NewestRecords, 'memberId' | 'withHidden'>,
  bounds: Pick<NewestRecords, 'maxRecords' | 'maxBytes'>,
): Promise<NewestOfType[]> {
  const rows = await newestDataRecords(tx, { ...of, ...bounds, dataTypeIds: dataTypes.map(({ id }) => id) });
  return dataTypes.map((dataType) => {
    const found = rows.filter(({ dataTypeId }) => dataTypeId === dataType.id);
    const records = found.map(({ fieldValues }) => fieldValues).filter((values) => values !== null);
    return { dataType, records, isPartial: records.length < found.length };
  });
}
