import type { Figure } from '../figure.js';
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
