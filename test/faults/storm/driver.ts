import { setTimeout as delay } from 'node:timers/promises';
import { heal, outageOf, seedWeather, weatherOf } from './faults.js';
import { takeWhatWasMissed } from './inbound.js';
import { Ledger } from './ledger.js';
import type { Lane, Operation } from './operations.js';
import { Performer } from './perform.js';
import type { Outage, Plan } from './plan.js';
import type { Town } from './town.js';

const atOnce = 24;

/** Carries a plan out, all lanes at the same time. When it resolves, everything is answered and mended. */
export async function storm(town: Town, plan: Plan): Promise<Ledger> {
  const ledger = new Ledger();
  const performer = new Performer(town, plan.seed, ledger);
  const lanes = new Map<Lane, Promise<void>>();
  const underWay = new Set<Promise<void>>();
  let outage: Promise<void> = Promise.resolve();
  await seedWeather(town, plan.seed);

  const begin = (operation: Operation): void => {
    const before = lanes.get(operation.lane) ?? Promise.resolve();
    const done = before.then(() => performer.perform(operation));
    lanes.set(operation.lane, done);
    underWay.add(done);
    done.then(
      () => underWay.delete(done),
      () => underWay.delete(done),
    );
  };

  for (const operation of plan.operations) {
    await changeWeather(town, plan, operation.index);
    for (const planned of plan.outages.filter(({ at }) => at === operation.index)) {
      // One at a time; what is under way goes on meanwhile.
      await outage;
      outage = endure(town, planned);
      outage.catch(() => undefined);
    }
    await delay(operation.paceMs);
    while (underWay.size >= atOnce) await Promise.race(underWay);
    begin(operation);
  }
  await outage;
  for (const { name } of plan.weathers) await weatherOf(town, name).stop();
  await heal(town);
  await Promise.all(lanes.values());
  await takeWhatWasMissed(town);
  return ledger;
}

async function endure(town: Town, { name, forMs }: Outage): Promise<void> {
  const fault = outageOf(town, name);
  await fault.start();
  await delay(forMs);
  await fault.stop();
}

async function changeWeather(town: Town, { weathers }: Plan, index: number): Promise<void> {
  for (const { name, at, until } of weathers) {
    if (at === index) await weatherOf(town, name).start();
    if (until === index) await weatherOf(town, name).stop();
  }
}
