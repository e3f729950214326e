import { createChat } from '../../../domain/conversations/chats/create-chat.js';
import { publishDefinition } from '../../support/workspace/definitions.js';
import { type Attack, sendAs } from './attack.js';
import { fillMember } from './many-own-records.js';

/** What was read for each turn ended one worker after the other, as a run is tried again. */
export const poisonPill: Attack = {
  name: 'turns of the agent with a member that has 80 MB of records',
  expected: [201, 429],
  alsoNeeded: 'chat',
  async prepare(scene) {
    const { workspace } = scene;
    const { member, tasks } = await fillMember(scene);
    const { workflowId } = await publishDefinition(workspace, tasks);
    const requests = [];
    for (let chats = 0; chats < 4; chats += 1) {
      const { id } = await createChat(workspace.context(), {
        channel: 'web-chat',
        memberId: member.memberId,
        workflowId,
      });
      requests.push(sendAs(scene, member.apiKey, 'POST', `/chats/${id}/messages`, { content: 'And now?' }));
    }
    return { requests, concurrency: 2 };
  },
};
