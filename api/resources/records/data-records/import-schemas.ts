import Type from 'typebox';
import { mostErrorsListed } from '../../../../domain/records/csv/import-tally.js';
import { columnsPassedOver, Id, OneOf } from '../../../http/schemas.js';

const Count = Type.Integer({ minimum: 0 });
const counts = {
  total: Count,
  success: Count,
  failed: Count,
  created: Count,
  updated: Count,
  unchanged: Count,
};

/** The fields sent with the file. */
export const ImportDataRecordsForm = Type.Object({
  memberId: Type.Optional(
    Type.Integer({
      ...Id,
      description: 'The member of records in rows that name no member; default: the caller',
    }),
  ),
  blankCells: Type.Optional(
    OneOf(['keep', 'clear'], {
      description: 'The effect of a blank cell: keep the present value (default), or clear it',
    }),
  ),
});

/** A line of the answer: progress after each batch of rows, and at the end the result for all rows. */
export const DataRecordImportLine = Type.Union(
  [
    Type.Object({ type: Type.Literal('progress'), current: Count, ...counts }),
    Type.Object({
      type: Type.Literal('complete'),
      ...counts,
      errors: Type.Array(Type.String(), {
        description: `Error messages, each beginning with the row, such as \`Row 7:\`, for the first ${mostErrorsListed} rows that failed`,
      }),
      columnsPassedOver,
      failedRows: Type.Array(Type.Integer({ minimum: 2 }), {
        description: 'All rows that failed. Rows are numbered as in a spreadsheet: the header is row 1',
      }),
    }),
  ],
  { $id: 'DataRecordImportLine' },
);
