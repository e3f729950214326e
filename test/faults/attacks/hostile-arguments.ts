import { createAssistant } from '../../../domain/conversations/assistants/create-assistant.js';
import { publishDefinition } from '../../support/workspace/definitions.js';
import { type Attack, addOwnType, writeIntoChats } from './attack.js';

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
    const described = { name: 'Assistant', instructions: 'Save.' };
    const { memberId: assistantMemberId } = await createAssistant(workspace.context(), described);
    const config = { dataTypeSlug: type.slug, fieldSlugs: ['code'] };
    const tasks = {
      name: 'Ask',
      taskType: 'conversation',
      prompt: `Save what is ${word}.`,
      abilities: [{ abilityType: 'save_data', config }],
      children: [{ name: 'Done', taskType: 'conclude' }],
    };
    const { workflowId } = await publishDefinition(workspace, tasks, { assistantMemberId });
    const lengths = [20_000, 900, 256];
    const toolCalls = Array.from({ length: 9 }, (_, index) => ({
      name: 'save_data',
      arguments: { code: 'a'.repeat(lengths[index % lengths.length] ?? 1) },
    }));
    for (let turn = 0; turn < turns; turn += 1) {
      await system.model.script([{ toolCalls }, { content: 'Noted.' }], word);
    }
    const requests = await writeIntoChats(scene, workspace.member, workflowId, 2);
    // What a pattern holds up is looked at here, and not how many turns there are.
    return { requests, concurrency: 1, pauseMs: 300 };
  },
};
