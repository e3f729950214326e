import { DBError } from 'objection';
import { DatabaseError } from 'pg';

const uniqueViolation = '23505';
const foreignKeyViolation = '23503';
const deadlockDetected = '40P01';

/**
 * Returns the name of the unique index or foreign key that a statement violated, or undefined for any other error.
 * Commands map it to the field at fault: two concurrent requests may both pass a prior check, but the index accepts
 * only one.
 * Codes: https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
export function violatedConstraint(error: unknown): string | undefined {
  const driverError = errorOfDriver(error);
  if (driverError === undefined) return undefined;
  const { code, constraint } = driverError;
  return code === uniqueViolation || code === foreignKeyViolation ? constraint : undefined;
}

/** Whether PostgreSQL aborted the statement because of a deadlock. */
export function isDeadlock(error: unknown): boolean {
  return errorOfDriver(error)?.code === deadlockDetected;
}

function errorOfDriver(error: unknown): DatabaseError | undefined {
  const driverError = error instanceof DBError ? error.nativeError : error;
  return driverError instanceof DatabaseError ? driverError : undefined;
}

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
