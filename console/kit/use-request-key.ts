import { useState } from 'react';
import { hasNoAnswer } from './api.js';
import { newUuid } from './new-uuid.js';

/** The key of a request that makes something: a repetition after a lost answer makes nothing twice. */
export function useRequestKey() {
  const [key, setKey] = useState(newUuid);
  return {
    header: { 'Idempotency-Key': key },
    onError: (error: Error) => {
      // Where no answer came, the same request may have been carried out.
      if (!hasNoAnswer(error)) setKey(newUuid());
    },
  };
}
