import { createDataType } from '../../../domain/data-types/create-data-type.js';
import { addRecords } from '../../support/add-records.js';
import { conversationTasks } from '../../support/definitions.js';
import { randomTag } from '../../support/factories.js';
import { stageAssignment } from '../../support/staged-assignment.js';
import { type Attack, getAs, type Scene } from './attack.js';

const fields = Array.from({ length: 15 }, (_, index) => ({
  slug: `f${index}`,
  name: 'F',
  fieldType: 'json',
}));
const values = Object.fromEntries(fields.map(({ slug }) => [slug, 'x'.repeat(16_000)]));

/** A hundred records of 240 KB, for a task of an assignment. @returns the type's id */
async function addLargeRecords({ workspace }: Scene): Promise<number> {
  const slug = `large-${randomTag()}`;
  const type = await createDataType(workspace.context(), { name: 'Large', slug, isCollection: true, fields });
  const staged = await stageAssignment(workspace, conversationTasks(), { member: workspace.admin });
  const { id: assignmentTaskId } = await staged.task('Ask');
  for (let batch = 0; batch < 25; batch += 1) {
    const records = Array.from({ length: 4 }, () => ({ fieldValues: values, assignmentTaskId }));
    await addRecords(workspace, type.id, records);
  }
  return type.id;
}

function reading(name: string, pathOf: (typeId: number) => string): Attack {
  return {
    name,
    concurrency: 3,
    expected: [200, 429, 500, 503],
    prepare: async (scene) =>
      getAs(scene, scene.workspace.admin.apiKey, pathOf(await addLargeRecords(scene))),
  };
}

export const largeAnswers: Attack[] = [
  reading('pages of a hundred large records', (id) => `/data-types/${id}/records?pageSize=100`),
  reading('lists of assignments with large records', () => '/assignments?pageSize=100'),
  reading('exports of large records', (id) => `/data-types/${id}/records/export`),
];
