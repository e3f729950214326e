import { afterAll, beforeAll, expect, it } from 'vitest';
import { median, percentile } from '../../support/lib/statistics.js';
import type { Attack, Flood, Service } from './attack.js';
import { attacks } from './index.js';
import { type Neighbour, startNeighbour } from './neighbour.js';

import type { AttackerQuestion, Statuses } from './programs/attacker.js';
import type { Asked } from './programs/neighbour.js';
import { type Program, startProgram } from './programs/start-program.js';
import { type AttackedService, startAttackedService } from './service.js';

/** Requests of the neighbour in a phase, and how often it uses a service besides. */
const asked = 300;
const used = 5;
/** What an attack may make of the time that the neighbour waits. */
const times = 5;
/** What a machine does besides makes a phase slow; what the service does makes each of them slow. */
const tries = 3;
/** Idle times, in milliseconds, count as at least this: a single collection of garbage would be many times of less. */
const least: Record<'request' | Service, number> = { request: 20, chat: 300, webhooks: 200 };

let service: AttackedService;
let neighbour: Neighbour;
let attacker: Program<AttackerQuestion, Statuses>;
/** The neighbour's 99th percentiles without an attack, of all phases so far. */
const idle: number[] = [];
const idleServices: Record<Service, number[]> = { chat: [], webhooks: [] };

beforeAll(async () => {
  service = await startAttackedService();
  neighbour = await startNeighbour(service);
  attacker = startProgram(new URL('./programs/attacker.ts', import.meta.url));
  await neighbour.ask(2 * asked);
  await measureIdle();
  for (const name of ['chat', 'webhooks'] as const) {
    await neighbour.use(name, used);
    idleServices[name] = await neighbour.use(name, used);
  }
});
afterAll(async () => {
  await Promise.all([attacker?.stop(), neighbour?.stop()]);
  await service?.stop();
});

async function measureIdle(): Promise<void> {
  const { times: took, refused } = await neighbour.ask(asked);
  expect(refused).toEqual([]);
  idle.push(percentile(took, 99));
}

interface Met {
  requests: Asked;
  services: number[];
  told: Statuses;
}

async function underAttack(flood: Flood, alsoNeeded: Service | undefined): Promise<Met> {
  await attacker.ask({ kind: 'begin', url: service.api.url, flood });
  let told: Statuses = {};
  const [requests, services] = await Promise.all([
    neighbour.ask(asked),
    alsoNeeded === undefined ? [] : neighbour.use(alsoNeeded, used),
  ]).finally(async () => {
    told = await attacker.ask({ kind: 'end' });
  });
  return { requests, services, told };
}

/** What has to hold whatever else the machine does. */
function checkAlive({ requests, told }: Met, { expected }: Attack): void {
  expect(service.api.running(), service.api.log()).toBe(true);
  expect(service.worker.running(), service.worker.log()).toBe(true);
  expect(requests.refused).toEqual([]);
  const unexpected = Object.keys(told).filter((status) => !expected.includes(Number(status)));
  expect(unexpected, JSON.stringify(told)).toEqual([]);
}

/** How many times as long as without an attack the neighbour waited, at its worst. */
function slowdown({ requests, services }: Met, { name, alsoNeeded }: Attack): number {
  const p99 = percentile(requests.times, 99);
  const ofRequests = p99 / Math.max(least.request, median(idle));
  const usual = alsoNeeded && Math.max(least[alsoNeeded], median(idleServices[alsoNeeded]));
  const ofServices = usual === undefined ? 0 : Math.max(...services) / usual;
  if (process.env.ATTACK_FIGURES !== undefined) {
    const figures = { idle: median(idle), p99, median: median(requests.times), ofRequests, ofServices };
    process.stdout.write(`${name}: ${JSON.stringify(figures)}\n`);
  }
  // A phase that ended before all was asked was too slow as well.
  return requests.times.length < asked ? Number.POSITIVE_INFINITY : Math.max(ofRequests, ofServices);
}

it.each(attacks.map((attack) => [attack.name, attack] as const))(
  '%s leave the processes alive and the neighbour served',
  async (_name, attack) => {
    const scene = await service.openScene(neighbour.apiKey);
    const flood = await attack.prepare(scene);
    const slowdowns: number[] = [];
    for (let attempt = 0; attempt < tries; attempt += 1) {
      await measureIdle();
      const met = await underAttack(flood, attack.alsoNeeded);
      checkAlive(met, attack);
      slowdowns.push(slowdown(met, attack));
      if (Math.min(...slowdowns) < times) break;
    }
    await attack.finish?.();

    expect(Math.min(...slowdowns)).toBeLessThan(times);
  },
);
