import { DBError } from 'objection';
import { DatabaseError } from 'pg';

/** Bad values, broken constraints, lost races (deadlocks) and locks, values beyond the database's limits. */
const aboutRows = /^(22|23|40|54)...$|^55P03$/;

/**
 * Whether a statement failed because of the rows it was about, or of others who write them at this moment: the
 * database is there, and other rows may well be written.
 * Codes: https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
export function refusesRows(error: unknown): boolean {
  const driverError = error instanceof DBError ? error.nativeError : error;
  return driverError instanceof DatabaseError && aboutRows.test(driverError.code ?? '');
}
