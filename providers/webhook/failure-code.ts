import { UnreadableAnswer } from './exchange.js';
import { UnusableAddress } from './unusable-address.js';
import type { WebhookFailureCode } from './webhook-sender.js';

/** No response until the deadline. */
export class DeadlinePassed extends Error {
  override readonly name = 'DeadlinePassed';
}

const codes: Readonly<Record<string, WebhookFailureCode>> = {
  ECONNREFUSED: 'connection_refused',
  ECONNRESET: 'connection_reset',
  ECONNABORTED: 'connection_reset',
  EPIPE: 'connection_reset',
  ETIMEDOUT: 'timeout',
  EHOSTUNREACH: 'unreachable',
  EHOSTDOWN: 'unreachable',
  ENETUNREACH: 'unreachable',
  ENETDOWN: 'unreachable',
  EADDRNOTAVAIL: 'unreachable',
};

/** OpenSSL's error codes, and those of certificates: https://nodejs.org/api/tls.html#x509-certificate-error-codes */
const ofTls =
  /^ERR_(SSL|TLS)_|^EPROTO$|CERT|CRL|^(INVALID_(CA|PURPOSE)|PATH_LENGTH_EXCEEDED|HOSTNAME_MISMATCH)$/;

/** Converts an error to a failure code. The error itself is not passed on, because it may contain the address. */
export function failureCodeOf(error: unknown): WebhookFailureCode {
  if (error instanceof DeadlinePassed) return 'timeout';
  if (error instanceof UnreadableAnswer) return 'invalid_response';
  if (error instanceof UnusableAddress) return error.problem.code;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code.startsWith('HPE_')) return 'invalid_response';
  return codes[code] ?? (ofTls.test(code) ? 'tls_failed' : 'connection_failed');
}
