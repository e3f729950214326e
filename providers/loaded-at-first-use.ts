import type { ProviderBusy } from './failures.js';

/** Loads once, with the first use. A load that fails is tried again by the next use: nothing was sent, and the outcome is known. */
export function loadedAtFirstUse<T>(
  load: () => Promise<T>,
  Busy: new (code: string) => ProviderBusy,
): () => Promise<T> {
  let loaded: Promise<T> | undefined;
  return () => {
    loaded ??= load().catch(() => {
      loaded = undefined;
      throw new Busy('not_loaded');
    });
    return loaded;
  };
}
