import type { TaskAbility, TaskNode } from '../definitions/task-tree/types.js';

const ability = (id: number, abilityType: string): TaskAbility => ({
  id,
  uuid: `00000000-0000-4000-8000-00000000000${id}`,
  abilityType,
  config: {},
  enabled: true,
  celCondition: null,
});

/** The task of a chat without a workflow: the agent follows only the instructions of its assistant. */
export const freeConversation: TaskNode = {
  id: 0,
  uuid: '00000000-0000-4000-8000-000000000000',
  parentId: null,
  name: 'Conversation',
  taskType: 'conversation',
  prompt: 'Answer the member. Hand over to a person when you cannot help.',
  shortPrompt: null,
  choicePrompt: null,
  description: null,
  configuration: {},
  celGuard: null,
  celCondition: null,
  autoNext: false,
  required: false,
  order: 0,
  abilities: [ability(1, 'handoff'), ability(2, 'schedule_follow_up')],
};
