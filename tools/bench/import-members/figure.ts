import { setTimeout as pause } from 'node:timers/promises';
import { percentile } from '../../../test/support/lib/statistics.js';
import { memoryProbe } from '../../dev/memory/memory-probe.js';
import type { Figure } from '../figure.js';
import { ask } from '../support/ask.js';
import { durationOf, rateOf } from '../support/durations.js';
import { during, peakGrowth } from '../support/peak-growth.js';
import { writePeople } from './floor.js';
import { addForm, importPeople, newPeople, type Person } from './people.js';

export const importMembers: Figure = {
  name: 'import-members',
  title: 'Import of 10,000 members with two values each',
  unit: 'rows/s',
  target: { ratioAtLeast: 0.3 },
  async prepare(stage, { operations }) {
    const [dataTypeId, api] = await Promise.all([addForm(stage), stage.startApi()]);
    const rate = (write: (people: readonly Person[]) => Promise<void>) => {
      const people = newPeople(operations);
      return rateOf(people.length, () => write(people));
    };
    return {
      floor: () => rate((people) => writePeople(stage, dataTypeId, people)),
      measured: () => rate((people) => importPeople(stage, api, people)),
    };
  },
};

/** How much an import increases the latency of other requests to the api. */
export const importMembersLatency: Figure = {
  name: 'import-members-latency',
  title: 'Other requests during an import, p99, beside an idle api',
  unit: 'ms',
  target: { ratioAtMost: 3 },
  async prepare(stage, { operations, seconds }) {
    const [, api] = await Promise.all([addForm(stage), stage.startApi()]);
    const path = `/members/${stage.workspace.admin.memberId}`;
    const slowest = async (work: Promise<void>) =>
      percentile(await during(work, () => durationOf(() => ask(stage, api, 'GET', path))), 99);
    return {
      floor: () => slowest(pause(seconds * 1_000)),
      measured: () => slowest(importPeople(stage, api, newPeople(operations))),
    };
  },
};

/** The peak growth of the api's resident memory during an import. */
export const importMembersMemory: Figure = {
  name: 'import-members-memory',
  title: 'Growth of the api’s resident memory by an import of 10,000 members',
  unit: 'MB',
  target: { atMost: 50 },
  async prepare(stage, { operations }) {
    const probe = await memoryProbe();
    const [, api] = await Promise.all([addForm(stage), stage.startApi(probe.extras)]);
    return {
      measured: () =>
        peakGrowth(api, probe, {
          warmUp: () => importPeople(stage, api, newPeople(1)),
          work: () => importPeople(stage, api, newPeople(operations)),
          everyMs: 5,
        }),
    };
  },
};
