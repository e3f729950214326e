import { isCode } from '../error-codes.js';

/**
 * PostgreSQL's codes for transient errors: lost connections (08), serialization failures and deadlocks (40), lack of
 * resources (53), locks and time limits (55, 57), a read-only server during a failover (25006), and a plan from before
 * a migration (0A000). https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const ofDatabase = /^(08...|40...|53...|55...|57...|25006|0A000)$/;
const ofNetwork = new Set([
  'EAI_AGAIN',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
]);

/** Whether the same operation may succeed later without any change. */
export function passes(error: unknown): boolean {
  const code = codeOf(error);
  return code !== undefined && (ofDatabase.test(code) || ofNetwork.has(code));
}

/** Returns the driver's code, also if its error was wrapped. */
function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const { code, nativeError, cause } = error as { code?: unknown; nativeError?: unknown; cause?: unknown };
  if (isCode(code)) return code;
  return codeOf(nativeError) ?? codeOf(cause);
}
