import { createDataType } from '../../../domain/records/data-types/create-data-type.js';
import type { Stage } from '../stage/stage.js';

export const visitValues = {
  summary: 'Asked about the opening hours, and was told.',
  visited_on: '2026-04-30',
  minutes: 25,
  satisfied: true,
};

/** Creates a data type with any number of records for each member. @returns its id */
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
