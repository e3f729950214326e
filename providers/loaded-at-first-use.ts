import type { ProviderBusy } from './failures.js';

/** Loads once, with the first use. A load that fails is tried again by the next use. */
export function onFirstUse<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined;
  return () => {
    loaded ??= load().catch((error) => {
      loaded = undefined;
      throw error;
    });
    return loaded;
  };
}

/** The same for a provider: if its load fails, nothing was sent, and the outcome is known. */
export function loadedAtFirstUse<T>(
  load: () => Promise<T>,
  Busy: new (code: string) => ProviderBusy,
): () => Promise<T> {
  return onFirstUse(() =>
    load().catch(() => {
      throw new Busy('not_loaded');
    }),
  );
}
