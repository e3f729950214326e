import { stageAssignment } from '../../support/chats/staged-assignment.js';
import { publishDefinition } from '../../support/workspace/definitions.js';
import { addMember } from '../../support/workspace/factories.js';
import { type Attack, addOwnType, getAs, insertMany, type Scene, writeIntoChats } from './attack.js';

/** A plain member with 80 MB of records of its own, which the prompt of a definition names. */
export async function fillMember(scene: Scene) {
  const type = await addOwnType(scene, [{ slug: 'text', name: 'Text', fieldType: 'textarea' }]);
  const member = await addMember(scene.workspace);
  const fieldValues = { text: 'x'.repeat(9_900) };
  await insertMany(scene, { dataTypeId: type.id, memberId: member.memberId, fieldValues, count: 8_000 });
  const tasks = {
    name: 'Ask',
    taskType: 'conversation',
    prompt: `{{ size(member.data.${type.slug}) }}`,
    children: [{ name: 'Done', taskType: 'conclude' }],
  };
  return { member, type, tasks };
}

export const manyOwnRecords: Attack = {
  name: 'looks at the task and context of a member with 80 MB of records',
  expected: [200, 429],
  async prepare(scene) {
    const { member, tasks } = await fillMember(scene);
    const { assignmentId } = await stageAssignment(scene.workspace, tasks, { member });
    const requests = ['current-task-detail', 'cel-context'].map((below) =>
      getAs(scene, member.apiKey, `/assignments/${assignmentId}/${below}`),
    );
    return { requests, concurrency: 4 };
  },
};

/** What was read for each turn ended one worker after the other, as a run is tried again. */
export const poisonPill: Attack = {
  name: 'turns of the agent with a member that has 80 MB of records',
  expected: [201, 429],
  alsoNeeded: 'chat',
  async prepare(scene) {
    const { member, tasks } = await fillMember(scene);
    const { workflowId } = await publishDefinition(scene.workspace, tasks);
    return { requests: await writeIntoChats(scene, member, workflowId, 4), concurrency: 2 };
  },
};
