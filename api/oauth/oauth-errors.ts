import { TooManyRequests } from '../../domain/lib/errors.js';
import { errors } from './library.js';

/** The server is asked too often (429). `error` is the one of RFC 6749 for a server that cannot answer now. */
export class AskedTooOften extends errors.OIDCProviderError {
  constructor(readonly retryAfterSeconds: number) {
    super(429, 'temporarily_unavailable');
    this.error_description = `Too many requests. Try again in ${retryAfterSeconds} s.`;
  }
}

/** The same refresh token is being used by another request, whose answer is not stored yet. */
export class RefreshInProgress extends errors.OIDCProviderError {
  readonly retryAfterSeconds = 1;
  override expose = true;
  constructor() {
    super(503, 'temporarily_unavailable');
    this.error_description = 'Another request is using the refresh token. Try again in 1 s.';
  }
}

/** Runs a command, whose refusal for being asked too often becomes one of OAuth. */
export async function withOAuthErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof TooManyRequests) throw new AskedTooOften(error.retryAfterSeconds);
    throw error;
  }
}

/** Seconds after which a client may try again; undefined for other errors. */
export function retryAfterOf(error: unknown): number | undefined {
  return error instanceof AskedTooOften || error instanceof RefreshInProgress
    ? error.retryAfterSeconds
    : undefined;
}
