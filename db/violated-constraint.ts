import { DBError } from 'objection';
import { DatabaseError } from 'pg';

const uniqueViolation = '23505';
const foreignKeyViolation = '23503';

/**
 * Name of the unique index or foreign key that a statement broke, or undefined for any other error. Commands map
 * it to the field at fault: two requests at once both pass a check made beforehand, the index lets one through.
 * Codes: https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
export function violatedConstraint(error: unknown): string | undefined {
  const driverError = error instanceof DBError ? error.nativeError : error;
  if (!(driverError instanceof DatabaseError)) return undefined;
  const { code, constraint } = driverError;
  return code === uniqueViolation || code === foreignKeyViolation ? constraint : undefined;
}
