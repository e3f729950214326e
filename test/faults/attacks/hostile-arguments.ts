import { createAssistant } from '../../../domain/conversations/assistants/create-assistant.js';
import { createChat } from '../../../domain/conversations/chats/create-chat.js';
import { publishDefinition } from '../../support/workspace/definitions.js';
import { type Attack, addOwnType, sendAs } from './attack.js';

const word = 'dictated';
const turns = 60;

/** A model that copies into a tool call what a member dictates, for a field whose pattern goes back and forth. */
export const hostileArguments: Attack = {
  name: 'tool calls with long texts for a pattern that backtracks',
  expected: [201, 429],
  alsoNeeded: 'chat',
  async prepare(scene) {
    const { workspace, system } = scene;
    const pattern = 'a*a*a{0,100}b';
    const type = await addOwnType(scene, [{ slug: 'code', name: 'Code', fieldType: 'text', pattern }]);
    const assistant = await createAssistant(workspace.context(), {
      name: 'Assistant',
      instructions: 'Save.',
    });
    const abilities = [
      { abilityType: 'save_data', config: { dataTypeSlug: type.slug, fieldSlugs: ['code'] } },
    ];
    const tasks = {
      name: 'Ask',
      taskType: 'conversation',
      prompt: `Save what is ${word}.`,
      abilities,
      children: [{ name: 'Done', taskType: 'conclude' }],
    };
    const { workflowId } = await publishDefinition(workspace, tasks, {
      assistantMemberId: assistant.memberId,
    });
    const lengths = [20_000, 900, 256];
    const toolCalls = Array.from({ length: 9 }, (_, index) => ({
      name: 'save_data',
      arguments: { code: 'a'.repeat(lengths[index % lengths.length] ?? 1) },
    }));
    for (let turn = 0; turn < turns; turn += 1) {
      await system.model.script([{ toolCalls }, { content: 'Noted.' }], word);
    }
    const requests = [];
    for (let chats = 0; chats < 2; chats += 1) {
      const { member } = workspace;
      const { id } = await createChat(workspace.context(), {
        channel: 'web-chat',
        memberId: member.memberId,
        workflowId,
      });
      requests.push(sendAs(scene, member.apiKey, 'POST', `/chats/${id}/messages`, { content: 'Save it' }));
    }
    // What a pattern holds up is looked at here, and not how many turns there are.
    return { requests, concurrency: 1, pauseMs: 300 };
  },
};
