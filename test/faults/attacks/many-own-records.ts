import { createDataType } from '../../../domain/data-types/create-data-type.js';
import { addMember, randomTag } from '../../support/factories.js';
import { stageAssignment } from '../../support/staged-assignment.js';
import { type Attack, getAs, type Scene } from './attack.js';

const recordCount = 8_000;
const recordBytes = 9_900;

/** A plain member's own records of a type that the definition names. @returns the member, and a path of its assignment */
async function fillMember({ workspace }: Scene) {
  const slug = `own${randomTag().replaceAll('-', '')}`;
  const fields = [{ slug: 'text', name: 'Text', fieldType: 'textarea' }];
  const type = await createDataType(workspace.context(), { name: 'Own', slug, isCollection: true, fields });
  const member = await addMember(workspace);
  const prompt = `{{ size(member.data.${slug}) }}`;
  const tasks = {
    name: 'Ask',
    taskType: 'conversation',
    prompt,
    children: [{ name: 'Done', taskType: 'conclude' }],
  };
  const staged = await stageAssignment(workspace, tasks, { member });
  await workspace.database.inWorkspace(workspace.workspaceId, async (tx) => {
    await tx.raw(
      `insert into data_records (workspace_id, uuid, data_type_id, member_id, is_single, field_values)
       select ?, gen_random_uuid(), ?, ?, false, jsonb_build_object('text', repeat('x', ?))
       from generate_series(1, ?)`,
      [workspace.workspaceId, type.id, member.memberId, recordBytes, recordCount],
    );
  });
  return { member, path: `/assignments/${staged.assignmentId}` };
}

export const manyOwnRecords: Attack = {
  name: 'looks at the task and context of a member with 80 MB of records',
  concurrency: 3,
  expected: [200, 429],
  async prepare(scene) {
    const { member, path } = await fillMember(scene);
    const looks = ['/current-task-detail', '/cel-context'].map((below) =>
      getAs(scene, member.apiKey, path + below),
    );
    let count = 0;
    return async () => {
      count += 1;
      return (looks[count % looks.length] ?? fail)();
    };
  },
};

function fail(): never {
  throw new Error('there is nothing to look at');
}
