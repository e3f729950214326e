import { type ObjectStore, PutUnknown } from '../domain/files/object-store.js';
import type { Clock } from '../domain/lib/clock.js';
import { Unavailable } from '../domain/lib/errors.js';
import {
  ProviderBusy,
  type ProviderName,
  ProviderOutcomeUnknown,
  ProviderUnusable,
} from '../providers/failures.js';
import { type ProviderCondition, ProviderState } from '../providers/provider-state.js';
import { guardStorage } from '../providers/storage/guard-storage.js';
import type { Storage } from '../providers/storage/storage.js';

export interface ObjectStoreOptions {
  clock: Clock;
  /** Called with the condition of the storage after each call. */
  observe?: (provider: ProviderName, condition: ProviderCondition) => void;
}

/** The storage as commands use it: what an operator has to see to, or time, is `Unavailable` (`storage_unavailable`). */
export function objectStore(unguarded: Storage, { clock, observe }: ObjectStoreOptions): ObjectStore {
  const state = new ProviderState({
    provider: 'storage',
    now: () => clock.now(),
    ...(observe === undefined ? {} : { observe }),
  });
  const storage = guardStorage(unguarded, state);
  return {
    kind: storage.kind,
    // Not behind the circuit breaker: the folder is tried at no cost, and used as soon as it is there again.
    receive: (source, limit) => told(() => unguarded.receive(source, limit)),
    put: (key, spooled, object) => told(() => storage.put(key, spooled, object)),
    get: (key, range) => told(() => storage.get(key, range)),
    read: (key, range) => told(() => storage.read(key, range)),
    head: (key) => told(() => storage.head(key)),
    delete: (key) => told(() => storage.delete(key)),
    sign: (key, answer) => storage.sign(key, answer),
  };
}

async function told<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const waitMs = waitOf(error);
    if (waitMs === undefined) throw error;
    const seconds = Math.max(5, Math.ceil(waitMs / 1_000));
    const Failure = error instanceof ProviderOutcomeUnknown ? PutUnknown : Unavailable;
    throw new Failure('The storage of files cannot be used at the moment.', seconds, 'storage_unavailable');
  }
}

/** Undefined: time will not help. */
function waitOf(error: unknown): number | undefined {
  if (error instanceof ProviderBusy) return error.retryAfterMs ?? 0;
  if (error instanceof ProviderUnusable) return error.details.retryAfterMs ?? 0;
  return error instanceof ProviderOutcomeUnknown ? 0 : undefined;
}
