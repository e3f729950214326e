import Type from 'typebox';
import { otherEncodings } from '../../domain/records/csv/parse-csv.js';
import { maxFileOfFailed } from '../../domain/records/csv/run-import.js';
import { OneOf } from './schemas.js';

const Count = Type.Integer({ minimum: 0 });

/** What became of the rows of an import, in its lines. */
export const counts = {
  total: Count,
  success: Count,
  failed: Count,
  created: Count,
  updated: Count,
  unchanged: Count,
};

/** A field of all imports. */
export const blankCells = Type.Optional(
  OneOf(['keep', 'clear'], {
    description: 'The effect of a blank cell: keep the present value (default), or clear it',
  }),
);

/** Fields of an import that is carried out while its sender waits. */
export const importManner = {
  dryRun: Type.Optional(
    Type.Boolean({
      description:
        'Whether nothing is to be written: the answer says what an import would do. Each batch of rows is looked at by itself: rows far from each other that have the same unique value, and limits of the workspace that they reach together, are found by the import only, and a later row for what an earlier one creates counts as created, too',
    }),
  ),
  columns: Type.Optional(
    Type.String({
      maxLength: 50_000,
      description:
        'What each column of the file is read as, in its order and separated by commas, such as `reason,,day`, in place of the names that the file has. A column without a name is not read',
    }),
  ),
  encoding: Type.Optional(
    OneOf(otherEncodings, {
      description: 'What the file is written in, if neither UTF-8 nor, with a byte order mark, UTF-16',
    }),
  ),
  failedRowsFile: Type.Optional(
    Type.Boolean({ description: 'Whether the last line is to have the rows that failed as a CSV file' }),
  ),
};

/** In the last line of such an import. */
export const fileOfFailed = {
  failedRowsFile: Type.Optional(
    Type.String({
      description:
        'The rows that failed as a CSV file, with the columns that were read and the reason in `__error`, which an import passes over. If it was asked for',
    }),
  ),
  failedRowsInFile: Type.Optional(
    Type.Integer({
      minimum: 0,
      description: `The number of rows in that file: the first ones that failed, up to ${maxFileOfFailed} characters together`,
    }),
  ),
};
