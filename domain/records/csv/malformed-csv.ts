import { InvalidInput } from '../../lib/errors.js';

/** The error for a file that is not valid CSV. The message does not quote the file's contents. */
export function malformedCsv(message: string): InvalidInput {
  return InvalidInput.field('/file', message, 'csv_malformed');
}

/** The error for a row that is not valid CSV. Rows are counted as in a spreadsheet: the column names are row 1. */
export function malformedRow(row: number, reason: string): InvalidInput {
  return malformedCsv(`Row ${row} ${reason}.`);
}
