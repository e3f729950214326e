import type { ValueTest } from '../../../db/records/record-criteria.js';
import { afterPrefix } from '../field-values.js';

/** That a text in its compared form begins with this: a range, as only ranges are found by an index. */
export function prefixTest(prefix: string): ValueTest {
  const end = afterPrefix(prefix);
  return end === null ? { from: prefix } : { from: prefix, before: end };
}
