import { createDataType } from '../../../domain/data-types/create-data-type.js';
import { addRecords } from '../../support/add-records.js';
import { addMember, randomTag } from '../../support/factories.js';
import { stageAssignment } from '../../support/staged-assignment.js';
import { type Attack, getAs } from './attack.js';

/** Twenty comparisons of everything with everything, in a definition that the release before took. */
export const costlyExpressions: Attack = {
  name: 'a prompt with twenty comparisons of all records',
  concurrency: 2,
  expected: [200, 429],
  async prepare(scene) {
    const { workspace } = scene;
    const slug = `r${randomTag().replaceAll('-', '')}`;
    const fields = [{ slug: 'list', name: 'List', fieldType: 'json' }];
    const type = await createDataType(workspace.context(), { name: 'R', slug, isCollection: true, fields });
    const member = await addMember(workspace);
    const list = Array.from({ length: 700 }, () => 1);
    const records = Array.from({ length: 100 }, () => ({ memberId: member.memberId, fieldValues: { list } }));
    await addRecords(workspace, type.id, records);
    const staged = await stageAssignment(
      workspace,
      {
        name: 'Ask',
        taskType: 'conversation',
        prompt: `{{ size(member.data.${slug}) }}`,
        children: [{ name: 'Done', taskType: 'conclude' }],
      },
      { member },
    );
    const all = `member.data.${slug}`;
    const prompt = Array.from(
      { length: 20 },
      (_, index) => `{{ ${all}.exists(x, ${all}.exists(y, x != y)) || ${index} < 0 }}`,
    ).join(' ');
    await workspace.database.inWorkspace(workspace.workspaceId, async (tx) => {
      await tx('workflow_tasks').where({ revision_id: staged.revisionId, name: 'Ask' }).update({ prompt });
    });
    return getAs(scene, member.apiKey, `/assignments/${staged.assignmentId}/current-task-detail`);
  },
};
