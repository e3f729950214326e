import { setTimeout as pause } from 'node:timers/promises';
import type { Figure } from '../figure.js';
import { memoryProbe } from '../support/memory-probe.js';
import { residentMegabytes } from '../support/resident-memory.js';
import { addForm, importPeople, newPeople } from './people.js';

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
