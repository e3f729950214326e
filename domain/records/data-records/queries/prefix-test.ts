import type { ValueTest } from '../../../../db/records/record-criteria.js';
import { afterPrefix } from '../../field-values.js';

/**
 * Tests whether a normalized text begins with a prefix. The test is a range, because the index only supports ranges.
 */
export function prefixTest(prefix: string): ValueTest {
  const end = afterPrefix(prefix);
  return end === null ? { from: prefix } : { from: prefix, before: end };
}
