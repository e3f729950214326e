import type { QueueCount } from '../../../../db/conversations/waiting-chats.js';
import { needsResponseMeanings, needsResponseReasons } from '../../../../domain/kernel/alert-colleague.js';
import type { QueueCountsResponse } from './queue-schemas.js';

const unknownReason =
  'why is not known: a release before reasons were stored, or a later one, has alerted a colleague';

export function presentQueueCounts(counts: readonly QueueCount[]): QueueCountsResponse {
  const sum = (some: readonly QueueCount[]) => some.reduce((total, { count }) => total + count, 0);
  const ofAge = (age: QueueCount['age']) => sum(counts.filter((one) => one.age === age));
  const reasonOf = ({ reason }: QueueCount) => needsResponseReasons.find((known) => known === reason) ?? null;
  return {
    total: sum(counts),
    byReason: totals(counts, reasonOf).map(([reason, counted]) => ({
      reason,
      text: reason === null ? unknownReason : needsResponseMeanings[reason],
      ...counted,
    })),
    byChannel: totals(counts, ({ channel }) => channel).map(([channel, counted]) => ({
      channel,
      ...counted,
    })),
    byAge: { hour: ofAge('hour'), day: ofAge('day'), week: ofAge('week'), older: ofAge('older') },
  };
}

/** Adds counts up by a key, the most frequent first. */
function totals<Key>(
  counts: readonly QueueCount[],
  keyOf: (count: QueueCount) => Key,
): [Key, { count: number; oldest: Date }][] {
  const found = new Map<Key, { count: number; oldest: Date }>();
  for (const one of counts) {
    const before = found.get(keyOf(one));
    const oldest = before !== undefined && before.oldest < one.oldest ? before.oldest : one.oldest;
    found.set(keyOf(one), { count: (before?.count ?? 0) + one.count, oldest });
  }
  return [...found].sort(([, one], [, other]) => other.count - one.count);
}
