import { createDataType } from '../../../domain/records/data-types/create-data-type.js';
import type { Stage } from '../stage/stage.js';

/** What the records of the bench hold. */
export const visitValues = {
  summary: 'Asked about the opening hours, and was told.',
  visited_on: '2026-04-30',
  minutes: 25,
  satisfied: true,
};

/** A data type of which a member has any number of records. @returns its id */
export async function addVisits({ workspace }: Stage): Promise<number> {
  const { id } = await createDataType(workspace.context(), {
    name: 'Visits',
    slug: 'visits',
    isCollection: true,
    fields: [
      { name: 'Summary', slug: 'summary', fieldType: 'text', required: true },
      { name: 'Visited on', slug: 'visited_on', fieldType: 'date', required: true, shouldIndex: true },
      { name: 'Minutes', slug: 'minutes', fieldType: 'number', required: false },
      { name: 'Satisfied', slug: 'satisfied', fieldType: 'boolean', required: false },
    ],
  });
  return id;
}
