import { setTimeout as pause } from 'node:timers/promises';
import { percentile } from '../../../test/support/lib/statistics.js';
import type { Figure } from '../figure.js';
import { memoryProbe, residentMegabytes } from '../support/memory-probe.js';
import { writePeople } from './floor.js';
import { addForm, importPeople, newPeople, type Person } from './people.js';

/** The rate of importing members. */
export const importMembers: Figure = {
  name: 'import-members',
  title: 'Import of 10,000 members with two values each',
  unit: 'rows/s',
  target: { ratioAtLeast: 0.3 },
  async prepare(stage, { operations }) {
    const [dataTypeId, api] = await Promise.all([addForm(stage), stage.startApi()]);
    return {
      floor: () => rate(newPeople(operations), (people) => writePeople(stage, dataTypeId, people)),
      measured: () => rate(newPeople(operations), (people) => importPeople(stage, api, people)),
    };
  },
};

async function rate(
  people: readonly Person[],
  write: (people: readonly Person[]) => Promise<void>,
): Promise<number> {
  const startedAt = performance.now();
  await write(people);
  return (people.length / (performance.now() - startedAt)) * 1_000;
}

/** How much an import increases the latency of other requests to the api. */
export const importMembersLatency: Figure = {
  name: 'import-members-latency',
  title: 'Other requests during an import, p99, beside an idle api',
  unit: 'ms',
  target: { ratioAtMost: 3 },
  async prepare(stage, { operations, seconds }) {
    const [, api] = await Promise.all([addForm(stage), stage.startApi()]);
    const { workspace } = stage;
    const ask = async () => {
      const startedAt = performance.now();
      const answer = await fetch(
        `${api.url}/api/v2${workspace.path(`/members/${workspace.admin.memberId}`)}`,
        {
          headers: { authorization: `Bearer ${workspace.admin.apiKey}` },
        },
      );
      if (!answer.ok) throw new Error(`a request was answered ${answer.status}`);
      await answer.text();
      return performance.now() - startedAt;
    };
    return {
      floor: async () => {
        const until = performance.now() + seconds * 1_000;
        return percentile(await durations(ask, () => performance.now() >= until), 99);
      },
      measured: async () => {
        let isOver = false;
        const importing = importPeople(stage, api, newPeople(operations)).finally(() => {
          isOver = true;
        });
        const taken = await durations(ask, () => isOver);
        await importing;
        return percentile(taken, 99);
      },
    };
  },
};

/** Durations of requests that run one after the other. */
async function durations(ask: () => Promise<number>, isOver: () => boolean): Promise<number[]> {
  const taken: number[] = [];
  do taken.push(await ask());
  while (!isOver());
  return taken;
}

const lookEveryMs = 5;

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
      measured: async () => {
        // Warm up: compile the code and open the connections first.
        await importPeople(stage, api, newPeople(1));
        await probe.read();
        const before = residentMegabytes(api.pid);
        let highest = before;
        let isOver = false;
        const importing = importPeople(stage, api, newPeople(operations)).finally(() => {
          isOver = true;
        });
        while (!isOver) {
          highest = Math.max(highest, residentMegabytes(api.pid));
          await pause(lookEveryMs);
        }
        await importing;
        return highest - before;
      },
    };
  },
};
