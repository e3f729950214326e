import { seededRandom } from '../../../tools/simulators/support/random.js';
import { drawOperations, type Operation, pick } from './operations.js';

/** Something is taken away and comes back. One at a time. */
export const outages = [
  'worker_killed',
  'worker_killed_relaying',
  'worker_killed_sending',
  'worker_killed_emailing',
  'relay_cut_off',
  'api_killed',
  'media_killed',
  'temporal_killed',
  'postgres_killed',
  'storage_away',
] as const;

/** Something outside behaves badly for a while. Any number at a time. */
export const weathers = [
  'model_slow',
  'model_failing',
  'model_unauthorized',
  'model_schedules_follow_ups',
  'carrier_slow',
  'carrier_busy',
  'carrier_unauthorized',
  'carrier_lists_late',
  'carrier_hangs_up',
  'carrier_undelivering',
  'callbacks_lost',
  'callbacks_doubled',
  'callbacks_late',
  'callbacks_reversed',
  'mail_hangs',
  'mail_hangs_up',
  'mail_refuses',
  'mail_unauthorized',
  'mail_reports_late',
  'members_answer_automatically',
  'database_connections_silent',
] as const;

export interface Outage {
  name: (typeof outages)[number];
  at: number;
  forMs: number;
}

export interface Weather {
  name: (typeof weathers)[number];
  /** The operation before which it begins, and the one before which it ends. */
  at: number;
  until: number;
}

export interface Plan {
  seed: number;
  operations: Operation[];
  outages: Outage[];
  weathers: Weather[];
}

const furtherOutages = 4;

/** What is done and what goes wrong meanwhile, all from the seed. How the two meet in time is up to the machine. */
export function makePlan(seed: number, operationCount = 300): Plan {
  const random = seededRandom(seed);
  const operations = drawOperations(operationCount, random);
  return {
    seed,
    operations,
    outages: drawOutages(operationCount, random),
    weathers: weathers.map((name) => drawWeather(name, operationCount, random)),
  };
}

/** Each kind once and some again, in any order, spread over the operations. */
function drawOutages(operationCount: number, random: () => number): Outage[] {
  const further = Array.from({ length: furtherOutages }, () => pick(outages, random));
  const names = shuffle([...outages, ...further], random);
  const gap = operationCount / (names.length + 1);
  return names.map((name, index) => ({
    name,
    at: Math.floor(gap * (index + 0.5 + random() * 0.5)),
    forMs: 500 + Math.floor(random() * 2_000),
  }));
}

/** For which share of the operations a weather lasts, at least and at most. */
const shares: Partial<Record<Weather['name'], [number, number]>> = {
  // An account that is unusable keeps everything waiting that asks.
  model_unauthorized: [0.1, 0.1],
  carrier_unauthorized: [0.1, 0.1],
  mail_unauthorized: [0.1, 0.1],
  // There are few emails.
  mail_hangs: [0.3, 0.4],
  mail_hangs_up: [0.3, 0.4],
  mail_refuses: [0.3, 0.4],
  mail_reports_late: [0.4, 0.5],
  // Machines need some time to reach their bounds.
  model_schedules_follow_ups: [0.4, 0.6],
  members_answer_automatically: [0.4, 0.6],
};
const defaultShare = [0.1, 0.3] as const;

function drawWeather(name: Weather['name'], operationCount: number, random: () => number): Weather {
  const [min, most] = shares[name] ?? defaultShare;
  const length = Math.floor(operationCount * (min + random() * (most - min)));
  const latest = operationCount - length;
  // All emails wait for a minute after it: it would be the end of all other weathers of mail.
  const at = name === 'mail_unauthorized' ? latest - 1 : Math.floor(random() * latest);
  return { name, at, until: at + length };
}

function shuffle<T>(items: T[], random: () => number): T[] {
  return items
    .map((item) => ({ item, place: random() }))
    .sort((one, other) => one.place - other.place)
    .map(({ item }) => item);
}

export function describePlan({ seed, operations, outages: planned, weathers: skies }: Plan): string {
  const counts = new Map<string, number>();
  for (const { kind } of operations) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return [
    `storm with seed ${seed}: ${operations.length} operations`,
    `  ${[...counts].map(([kind, count]) => `${count} ${kind}`).join(', ')}`,
    `  outages: ${planned.map(({ name, at, forMs }) => `${name} at ${at} for ${forMs} ms`).join(', ')}`,
    `  weather: ${skies.map(({ name, at, until }) => `${name} ${at}–${until}`).join(', ')}`,
  ].join('\n');
}

export function replayCommand(seed: number, operationCount: number): string {
  return `npm run storm -- --seed ${seed} --operations ${operationCount}`;
}
