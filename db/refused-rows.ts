import { DBError } from 'objection';
import { DatabaseError } from 'pg';

/** Invalid values, constraint violations, serialization failures and deadlocks, exceeded limits, lock timeouts. */
const aboutRows = /^(22|23|40|54)...$|^55P03$/;

/**
 * Whether a statement failed because of the rows it wrote, or of concurrent writers of the same rows: the database is
 * available, and other rows may well be written.
 * Codes: https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
export function refusesRows(error: unknown): boolean {
  const driverError = error instanceof DBError ? error.nativeError : error;
  return driverError instanceof DatabaseError && aboutRows.test(driverError.code ?? '');
}
