type RequestId = string | number;

/**
 * The calls that this process answers to clients of 2025-11-25, which cancel by a message of its own. As no session is
 * kept, a message names a call by credential and id alone: where two have the same, neither is cancelled. A message that
 * reaches another process is passed over, as the protocol allows.
 */
export class CallsInProgress {
  readonly #calls = new Map<string, Set<AbortController>>();

  /** How many there are. */
  get size(): number {
    return this.#calls.size;
  }

  /** Performs a call with a signal that is aborted when the client cancels it or, as `gone` says, has gone. */
  async run<Result>(
    credentialId: number,
    requestId: RequestId,
    gone: AbortSignal,
    perform: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    const key = keyOf(credentialId, requestId);
    const cancelling = new AbortController();
    const leave = () => cancelling.abort(gone.reason);
    if (gone.aborted) leave();
    gone.addEventListener('abort', leave);
    const calls = this.#calls.get(key) ?? new Set();
    this.#calls.set(key, calls.add(cancelling));
    try {
      return await perform(cancelling.signal);
    } finally {
      gone.removeEventListener('abort', leave);
      calls.delete(cancelling);
      if (calls.size === 0) this.#calls.delete(key);
    }
  }

  cancel(credentialId: number, requestId: RequestId | undefined): void {
    if (requestId === undefined) return;
    const [call, another] = this.#calls.get(keyOf(credentialId, requestId)) ?? [];
    if (another === undefined) call?.abort();
  }
}

function keyOf(credentialId: number, requestId: RequestId): string {
  return `${credentialId} ${typeof requestId} ${requestId}`;
}
