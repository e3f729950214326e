import { InvalidInput } from '../../lib/errors.js';

/** The file is not CSV as we read it. Nothing of it is quoted. */
export function malformedCsv(message: string): InvalidInput {
  return InvalidInput.field('/file', message, 'csv_malformed');
}

/** … because of one of its rows, counted as a spreadsheet does: the names of the columns are row 1. */
export function malformedRow(row: number, reason: string): InvalidInput {
  return malformedCsv(`Row ${row} ${reason}.`);
}
