import type { Evidence } from '../evidence.js';
import type { Invariant } from './invariant.js';
import { keepingInvariants } from './keeping.js';
import { receivingInvariants } from './receiving.js';

/** Everything that is true after events were delivered, whatever was killed meanwhile. */
export const invariants: readonly Invariant[] = [...receivingInvariants, ...keepingInvariants];

/** How many of a kind are told: what is broken is usually broken often. */
const mostTold = 10;

/** What is not as it should be, by the name of the invariant. */
export function violations(evidence: Evidence): string[] {
  return invariants.flatMap(({ name, check }) => {
    const found = check(evidence);
    const more = found.length > mostTold ? [`and ${found.length - mostTold} more`] : [];
    return [...found.slice(0, mostTold), ...more].map((message) => `${name}: ${message}`);
  });
}
