import { stageAssignment } from '../../support/chats/staged-assignment.js';
import { conversationTasks } from '../../support/workspace/definitions.js';
import { type Attack, addOwnType, getAs, insertMany, type Scene } from './attack.js';

const fields = Array.from({ length: 15 }, (_, index) => ({
  slug: `f${index}`,
  name: 'F',
  fieldType: 'json',
}));
const fieldValues = Object.fromEntries(fields.map(({ slug }) => [slug, 'x'.repeat(16_000)]));

/** A hundred records of 240 KB, for a task of an assignment. @returns the type's id */
async function addLargeRecords(scene: Scene): Promise<number> {
  const { workspace } = scene;
  const { memberId } = workspace.admin;
  const { id: dataTypeId } = await addOwnType(scene, fields);
  const staged = await stageAssignment(workspace, conversationTasks(), { member: workspace.admin });
  const { id: assignmentTaskId } = await staged.task('Ask');
  await insertMany(scene, { dataTypeId, memberId, assignmentTaskId, fieldValues, count: 100 });
  return dataTypeId;
}

function reading(name: string, pathOf: (typeId: number) => string): Attack {
  return {
    name,
    expected: [200, 429, 503],
    prepare: async (scene) => {
      const path = pathOf(await addLargeRecords(scene));
      return { requests: [getAs(scene, scene.workspace.admin.apiKey, path)], concurrency: 8 };
    },
  };
}

export const largeAnswers: Attack[] = [
  reading('pages of a hundred large records', (id) => `/data-types/${id}/records?pageSize=100`),
  reading('lists of assignments with large records', () => '/assignments?pageSize=100'),
  reading('exports of large records', (id) => `/data-types/${id}/records/export`),
];
