import { faultCodeOf, ProviderFault } from '../failures.js';
import { retryAfterMs } from '../retry-after.js';
import {
  StorageBusy,
  StorageMissing,
  StorageOutcomeUnknown,
  StorageRangeUnsatisfiable,
  StorageRefused,
  StorageUnusable,
} from './storage.js';

/** An answer that is not a success. */
export interface S3Refusal {
  status: number;
  /** `<Code>` of the body; undefined without a body, as for HEAD. */
  code: string | undefined;
  retryAfter?: string | undefined;
}

/** Codes of the bucket or the account that servers send with differing status. */
const unusableCodes = new Set([
  'AuthorizationHeaderMalformed',
  'InvalidAccessKeyId',
  'InvalidBucketName',
  'NoSuchBucket',
  'PermanentRedirect',
  'SignatureDoesNotMatch',
  'TemporaryRedirect',
]);
/** What is stored can still be read. */
const fullCodes = new Set(['QuotaExceeded', 'XMinioStorageFull', 'XMinioAdminBucketQuotaExceeded']);
const busyCodes = new Set(['SlowDown', 'ServiceUnavailable', 'RequestLimitExceeded', 'OperationAborted']);

const writes = new Set(['PUT', 'DELETE']);

export function s3Failure({ status, code, retryAfter }: S3Refusal, method: string): Error {
  const told = code ?? String(status);
  if (fullCodes.has(told) || status === 507) return new StorageUnusable(told, { wholeAccount: false });
  if (unusableCodes.has(told) || status === 401 || status === 403) return new StorageUnusable(told);
  if (status >= 300 && status < 400) return new StorageUnusable(told);
  if (told === 'NoSuchKey' || (status === 404 && method === 'HEAD')) return new StorageMissing();
  // Of something that is no such bucket, as a server that does not speak the protocol.
  if (status === 404) return new StorageUnusable(told);
  if (status === 416) return new StorageRangeUnsatisfiable();
  if (busyCodes.has(told) || status === 429 || status === 503) {
    return new StorageBusy(told, retryAfterMs(retryAfter));
  }
  if (status >= 500 || told === 'RequestTimeout') return lost(told, writes.has(method));
  return new StorageRefused(told);
}

/** The failure of a connection. Its message would quote the address. */
export function connectionFailure(error: unknown, method: string, neverConnected = false): Error {
  const fault = faultCodeOf(error);
  if (fault !== undefined) return new ProviderFault('storage', fault);
  const { code } = error as { code?: unknown };
  const told = typeof code === 'string' && /^[A-Z0-9_]{1,64}$/.test(code) ? code : 'connection_failed';
  return lost(told, writes.has(method) && !neverConnected);
}

/** The answer to a write that is lost leaves the outcome unknown. */
function lost(code: string, isWrite: boolean): Error {
  return isWrite ? new StorageOutcomeUnknown(code) : new StorageBusy(code);
}
