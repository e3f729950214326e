import { createDataType } from '../../../domain/records/data-types/create-data-type.js';
import type { StageProcess } from '../stage/processes.js';
import type { Stage } from '../stage/stage.js';

/** A person to import, with two values of a data type. */
export type Person = ReturnType<typeof newPeople>[number];

/** The limit of an import (specification); the targets apply to imports of this size. */
const maxRows = 10_000;
let given = 0;

/** Generates new people: the maximum of an import for the usual effort, a few for a small one. */
export function newPeople(operations: number) {
  const count = Math.min(maxRows, operations * 200);
  return Array.from({ length: count }, () => {
    given += 1;
    return {
      email: `person-${given}@example.com`,
      // Valid in length; no message is sent to it.
      phone: `+1202${String(2_000_000 + given)}`,
      name: `Person ${given}`,
      colour: `colour ${given % 100}`,
      size: given % 1_000,
    };
  });
}

/** Creates a data type with one record for each person. @returns its id */
export async function addForm({ workspace }: Stage): Promise<number> {
  const type = await createDataType(workspace.context(), {
    name: 'Form',
    slug: 'form',
    isCollection: false,
    fields: [
      { slug: 'colour', name: 'Colour', fieldType: 'text' },
      { slug: 'size', name: 'Size', fieldType: 'integer' },
    ],
  });
  return type.id;
}

/** Uploads people as a file and reads the whole response. @throws when not all of them are new */
export async function importPeople(
  { workspace }: Stage,
  api: Pick<StageProcess, 'url'>,
  people: readonly Person[],
): Promise<void> {
  const rows = people.map((one) => `${one.email},'${one.phone},${one.name},${one.colour},${one.size}\n`);
  const form = new FormData();
  form.set('file', new Blob(['email,phone,name,form.form.colour,form.form.size\n', ...rows]), 'people.csv');
  const answer = await fetch(`${api.url}/api/v2${workspace.path('/members/import')}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${workspace.admin.apiKey}` },
    body: form,
  });
  const lines = (await answer.text()).trim().split('\n');
  const { created } = JSON.parse(lines.at(-1) ?? '{}');
  if (created !== people.length) throw new Error(`${created} of ${people.length} people were imported`);
}
