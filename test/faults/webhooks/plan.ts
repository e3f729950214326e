import { seededRandom } from '../../../tools/simulators/support/random.js';

/** Something is taken away and comes back. */
export interface Outage {
  name: 'worker_killed' | 'temporal_killed' | 'postgres_killed';
  /** How many webhooks are taken when it begins. */
  atTaken: number;
  forMs: number;
}

export interface WebhookPlan {
  seed: number;
  /** How many events there are to be. */
  events: number;
  outages: Outage[];
}

const names: readonly Outage['name'][] = [
  'worker_killed',
  'worker_killed',
  'worker_killed',
  'temporal_killed',
  'temporal_killed',
  'postgres_killed',
];
const maxMs = 3_000;

/** What goes wrong while so many events are delivered, and when: all of it from the seed. */
export function makePlan(seed: number, events: number): WebhookPlan {
  const random = seededRandom(seed);
  const shuffled = names
    .map((name) => ({ name, order: random() }))
    .sort((a, b) => a.order - b.order)
    .map(({ name }) => name);
  const outages = shuffled.map((name, index) => ({
    name,
    // One in each part of the time, somewhere in it, and none when nearly all is done.
    atTaken: Math.floor(((index + random()) / (names.length + 1)) * events),
    forMs: Math.floor(random() * maxMs),
  }));
  return { seed, events, outages };
}

/** The command that does it again. */
export function replayCommand({ seed, events }: Pick<WebhookPlan, 'seed' | 'events'>): string {
  return `FAULT_SEED=${seed} FAULT_EVENTS=${events} npm run test:faults -- test/faults/webhooks`;
}

export function describePlan({ outages }: WebhookPlan): string {
  return outages.map(({ name, atTaken, forMs }) => `${name} at ${atTaken} for ${forMs} ms`).join(', ');
}
