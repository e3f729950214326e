import { DBError } from 'objection';
import { DatabaseError } from 'pg';

const uniqueViolation = '23505';
const foreignKeyViolation = '23503';
const deadlockDetected = '40P01';

/**
 * Name of the unique index or foreign key that a statement broke, or undefined for any other error. Commands map
 * it to the field at fault: two requests at once both pass a check made beforehand, the index lets one through.
 * Codes: https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
export function violatedConstraint(error: unknown): string | undefined {
  const driverError = errorOfDriver(error);
  if (driverError === undefined) return undefined;
  const { code, constraint } = driverError;
  return code === uniqueViolation || code === foreignKeyViolation ? constraint : undefined;
}

/** Whether PostgreSQL ended the statement because two transactions waited for each other. */
export function isDeadlock(error: unknown): boolean {
  return errorOfDriver(error)?.code === deadlockDetected;
}

function errorOfDriver(error: unknown): DatabaseError | undefined {
  const driverError = error instanceof DBError ? error.nativeError : error;
  return driverError instanceof DatabaseError ? driverError : undefined;
}
