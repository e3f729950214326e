/** Requests that wait until a test releases them. */
export class Holds {
  #waiting = new Set<() => void>();

  get count(): number {
    return this.#waiting.size;
  }

  /** Resolves on release, or when the caller disconnects. */
  wait(gone: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const go = (): void => {
        this.#waiting.delete(go);
        resolve();
      };
      this.#waiting.add(go);
      gone.addEventListener('abort', go, { once: true });
    });
  }

  /** Releases all requests and returns their number. */
  release(): number {
    const waiting = [...this.#waiting];
    for (const go of waiting) go();
    return waiting.length;
  }
}
