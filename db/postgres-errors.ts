import { DBError } from 'objection';
import { DatabaseError } from 'pg';

// https://www.postgresql.org/docs/current/errcodes-appendix.html
const uniqueViolation = '23505';
const foreignKeyViolation = '23503';
const deadlockDetected = '40P01';
const queryCanceled = '57014';

/**
 * Returns the name of the unique index or foreign key that a statement violated, or undefined for any other error.
 * Commands map it to the field at fault: concurrent requests may both pass a prior check, but the index accepts one.
 */
export function violatedConstraint(error: unknown): string | undefined {
  const { code, constraint } = errorOfDriver(error) ?? {};
  return code === uniqueViolation || code === foreignKeyViolation ? constraint : undefined;
}

export function isDeadlock(error: unknown): boolean {
  return errorOfDriver(error)?.code === deadlockDetected;
}

/** Whether PostgreSQL cancelled a statement, because it took too long. */
export function isStatementCancelled(error: unknown): boolean {
  return errorOfDriver(error)?.code === queryCanceled;
}

function errorOfDriver(error: unknown): DatabaseError | undefined {
  const driverError = error instanceof DBError ? error.nativeError : error;
  return driverError instanceof DatabaseError ? driverError : undefined;
}

/** Invalid values, constraint violations, serialization failures and deadlocks, exceeded limits, lock timeouts. */
const aboutRows = /^(22|23|40|54)...$|^55P03$/;

/** Whether a statement failed because of its rows or their concurrent writers: other rows may well be written. */
export function isDataError(error: unknown): boolean {
  return aboutRows.test(errorOfDriver(error)?.code ?? '');
}
