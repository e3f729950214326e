import { discrepancies } from '../../../support/files/bytes-and-rows.js';
import type { Invariants } from '../evidence.js';

export const fileInvariants: Invariants = {
  /** A row has its bytes, bytes have a row, and the quota counts what is there, once the collector was through. */
  'bytes-agree-with-rows': ({ storage }) => discrepancies(storage),
  /** The text of each file can be found, if it has any: no kill left one half read. */
  'files-are-indexed': ({ files }) =>
    files
      .filter(({ mimeType, indexingState }) => {
        const wanted = mimeType === 'text/plain' ? 'indexed' : 'unsupported';
        return indexingState !== wanted;
      })
      .map(({ id, mimeType, indexingState }) => `the text of file ${id} (${mimeType}) is ${indexingState}`),
};
