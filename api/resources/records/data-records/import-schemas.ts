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

/** The fields that come with the file. */
export const ImportDataRecordsForm = Type.Object({
  memberId: Type.Optional(
    Type.Integer({
      ...Id,
      description: "Whose the records of rows are that name nobody; the caller's by default",
    }),
  ),
  blankCells: Type.Optional(
    OneOf(['keep', 'clear'], {
      description: 'What a blank cell does to the value there is: nothing (by default), or it empties it',
    }),
  ),
});

/** A line of the answer: progress after each batch of rows, and at the end what became of all of them. */
export const DataRecordImportLine = Type.Union(
  [
    Type.Object({ type: Type.Literal('progress'), current: Count, ...counts }),
    Type.Object({
      type: Type.Literal('complete'),
      ...counts,
      errors: Type.Array(Type.String(), {
        description: `What was wrong, each beginning with the row, such as \`Row 7:\`; of the first ${mostErrorsListed} rows that failed`,
      }),
      columnsPassedOver,
      failedRows: Type.Array(Type.Integer({ minimum: 2 }), {
        description:
          'All rows that failed. Rows are counted as a spreadsheet does: the names of the columns are row 1',
      }),
    }),
  ],
  { $id: 'DataRecordImportLine' },
);
