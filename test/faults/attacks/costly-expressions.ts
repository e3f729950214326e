import { stageAssignment } from '../../support/chats/staged-assignment.js';
import { addMember } from '../../support/workspace/factories.js';
import { type Attack, addOwnType, getAs, insertMany } from './attack.js';

/** Twenty comparisons of everything with everything, in a definition that the release before took. */
export const costlyExpressions: Attack = {
  name: 'looks at a prompt with twenty comparisons of all records',
  expected: [200, 429],
  async prepare(scene) {
    const { workspace } = scene;
    const type = await addOwnType(scene, [{ slug: 'list', name: 'List', fieldType: 'json' }]);
    const member = await addMember(workspace);
    const fieldValues = { list: Array.from({ length: 700 }, () => 1) };
    await insertMany(scene, { dataTypeId: type.id, memberId: member.memberId, fieldValues, count: 100 });
    const all = `member.data.${type.slug}`;
    const staged = await stageAssignment(
      workspace,
      {
        name: 'Ask',
        taskType: 'conversation',
        prompt: `{{ size(${all}) }}`,
        children: [{ name: 'Done', taskType: 'conclude' }],
      },
      { member },
    );
    const prompt = Array.from(
      { length: 20 },
      (_, index) => `{{ ${all}.exists(x, ${all}.exists(y, x != y)) || ${index} < 0 }}`,
    ).join(' ');
    await workspace.within(async (tx) => {
      await tx('workflow_tasks').where({ revision_id: staged.revisionId, name: 'Ask' }).update({ prompt });
    });
    const path = `/assignments/${staged.assignmentId}/current-task-detail`;
    return { requests: [getAs(scene, member.apiKey, path)], concurrency: 3 };
  },
};
