import type { RefusalReason } from './lines.js';

/** The file cannot be read, now or later. */
export class Refused extends Error {
  constructor(readonly reason: RefusalReason) {
    super(reason);
  }
}
