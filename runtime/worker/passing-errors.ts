import { isCode } from '../error-codes.js';

/**
 * PostgreSQL's codes for what passes: lost connections (08), lost races (40), no room (53), locks and limits of time (55,
 * 57), a server that only reads while another takes over (25006), and a plan from before a migration (0A000).
 * https://www.postgresql.org/docs/current/errcodes-appendix.html
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

/** Whether the same may succeed later, without anybody changing anything. */
export function passes(error: unknown): boolean {
  const code = codeOf(error);
  return code !== undefined && (ofDatabase.test(code) || ofNetwork.has(code));
}

/** The driver's code, also where others have wrapped its error. */
function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const { code, nativeError, cause } = error as { code?: unknown; nativeError?: unknown; cause?: unknown };
  if (isCode(code)) return code;
  return codeOf(nativeError) ?? codeOf(cause);
}
