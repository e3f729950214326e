import { setTimeout as pause } from 'node:timers/promises';
import type { Figure } from '../figure.js';
import { memoryProbe } from '../support/memory-probe.js';
import { residentMegabytes } from '../support/resident-memory.js';
import { addForm, importPeople, newPeople } from './people.js';

const lookEveryMs = 5;

/** How much the resident memory of the api grows by an import, at its height. */
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
        // What is compiled and connected for any request is there before.
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
