import type { ProviderState } from '../provider-state.js';
import type { Storage } from './storage.js';

/** A storage behind the circuit breaker of its account. What needs no account, such as signing, passes it by. */
export function guardStorage(storage: Storage, state: ProviderState): Storage {
  return {
    kind: storage.kind,
    spoolFolder: storage.spoolFolder,
    // The spool of a bucket is a local folder, which says nothing about the account.
    receive: (source, limit) =>
      storage.kind === 's3'
        ? storage.receive(source, limit)
        : state.call(() => storage.receive(source, limit)),
    put: (key, spooled, object) => state.call(() => storage.put(key, spooled, object)),
    get: (key, range) => state.call(() => storage.get(key, range)),
    read: (key, range) => state.call(() => storage.read(key, range)),
    head: (key) => state.call(() => storage.head(key)),
    delete: (key) => state.call(() => storage.delete(key)),
    sign: (key, answer) => storage.sign(key, answer),
    putSegment: (key, number, spooled) => state.call(() => storage.putSegment(key, number, spooled)),
    joinSegments: (key, count, object) => state.call(() => storage.joinSegments(key, count, object)),
    collectSpools: (before) => storage.collectSpools(before),
    check: () => state.call(() => storage.check()),
  };
}
