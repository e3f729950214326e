import { useState } from 'react';
import { hasNoAnswer } from './api.js';
import { newUuid } from './new-uuid.js';

/** The key of a request that makes something: a repetition after a lost answer makes nothing twice. */
export function useRequestKey() {
  const [key, setKey] = useState(newUuid);
  const onSettled = (_: unknown, error: Error | null) => {
    // Where no answer came, the same request may have been carried out.
    if (error === null || !hasNoAnswer(error)) setKey(newUuid());
  };
  return {
    header: { 'Idempotency-Key': key },
    /** Of the act that sends the request: the next request is another one. */
    onSettled,
    /** The same, where the request is sent within an act of its own. */
    async settled<T>(request: Promise<T>): Promise<T> {
      try {
        const made = await request;
        onSettled(made, null);
        return made;
      } catch (error) {
        onSettled(undefined, error as Error);
        throw error;
      }
    },
  };
}
