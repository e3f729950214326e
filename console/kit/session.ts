import { useSyncExternalStore } from 'react';

let hasEnded = false;
const listeners = new Set<() => void>();

/** The API has refused the session of this browser. */
export function reportSessionEnded(): void {
  hasEnded = true;
  for (const listener of listeners) listener();
}

export function useSessionEnded(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => hasEnded,
  );
}

/** The page that signs in and leads back here. */
export function signInAddress(): string {
  return `/sign-in?return=${encodeURIComponent(location.pathname + location.search)}`;
}
