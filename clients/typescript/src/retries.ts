/** How often and how long a request is tried. */
export interface RetryOptions {
  /** Repetitions after the first try; 0 for none. */
  retries: number;
  /** The longest `Retry-After` that is waited for. */
  longestWaitMs: number;
  /** The longest time for one try, until its answer is complete or, for a stream, has begun. */
  timeoutMs: number;
}

export const defaultRetries: RetryOptions = { retries: 4, longestWaitMs: 60_000, timeoutMs: 60_000 };

const firstDelayMs = 250;
const longestDelayMs = 8_000;

interface Attempts extends RetryOptions {
  fetch: typeof fetch;
  /** Whether the request may be carried out twice. */
  repeatable: boolean;
  /** Whether the caller reads the body while it arrives. */
  streamed: boolean;
}

/** Sends a request until it is answered with something that another try would not change. */
export async function fetchWithRetries(request: Request, attempts: Attempts): Promise<Response> {
  for (let attempt = 0; ; attempt += 1) {
    const isLast = attempt >= attempts.retries;
    let response: Response;
    try {
      response = await fetchOnce(request.clone(), attempts);
    } catch (error) {
      if (isLast || !attempts.repeatable || request.signal.aborted) throw withAddress(error, request);
      await delay(backoff(attempt), request.signal);
      continue;
    }
    const waitMs = isLast ? undefined : retryDelay(response, attempt, attempts);
    if (waitMs === undefined || waitMs > attempts.longestWaitMs) return response;
    await response.body?.cancel();
    await delay(waitMs, request.signal);
  }
}

/** The error of `fetch` for a lost connection does not say to what. */
function withAddress(error: unknown, { url }: Request): unknown {
  if (!(error instanceof TypeError)) return error;
  return new TypeError(`No answer from ${new URL(url).origin}: ${error.message}`, { cause: error });
}

/** The delay before the next try, or undefined if the answer is final. */
function retryDelay({ status, headers }: Response, attempt: number, { repeatable }: Attempts) {
  const told = retryAfterMs(headers);
  // The first request with this idempotency key is still in progress.
  const inProgress = status === 409 && told !== undefined;
  const unavailable = status === 502 || status === 503 || status === 504;
  const failed = unavailable || inProgress || (status === 500 && told !== undefined);
  // What the limit refuses is never carried out.
  if (status !== 429 && !(repeatable && failed)) return undefined;
  return told === undefined ? backoff(attempt) : told + backoff(0);
}

/** `Retry-After`, in seconds or as a date. */
function retryAfterMs(headers: Headers): number | undefined {
  const value = headers.get('Retry-After');
  if (value === null) return undefined;
  const ms = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

async function fetchOnce(request: Request, { fetch, streamed, timeoutMs }: Attempts): Promise<Response> {
  const timeout = new AbortController();
  const timer = setTimeout(
    () => timeout.abort(new DOMException(`No answer within ${timeoutMs} ms.`, 'TimeoutError')),
    timeoutMs,
  );
  try {
    const response = await fetch(request, { signal: AbortSignal.any([request.signal, timeout.signal]) });
    if (streamed && response.ok) return response;
    // A connection that is lost in the middle of a body is tried again as well.
    const body = await response.arrayBuffer();
    const { status, statusText, headers } = response;
    return new Response(body.byteLength === 0 ? null : body, { status, statusText, headers });
  } finally {
    clearTimeout(timer);
  }
}

/** Grows with each attempt, and is spread so that clients that failed together do not return together. */
export function backoff(attempt: number): number {
  return Math.min(firstDelayMs * 2 ** attempt, longestDelayMs) * (0.5 + Math.random() / 2);
}

/** Waits. @throws the reason of the signal, if it is aborted */
export function delay(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const abort = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', abort);
      resolve();
    }, ms);
    signal.addEventListener('abort', abort, { once: true });
  });
}
