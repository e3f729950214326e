import { celContextOf, withoutPerson } from '../assignments/machine/cel-context.js';
import { collectionOf } from '../assignments/machine/collected.js';
import { currentTask, type Machine } from '../assignments/machine/machine.js';
import { offeredTasks } from '../assignments/machine/offered-tasks.js';
import { inheritedAbilities } from '../definitions/task-tree/inherited-abilities.js';
import { realtimeConfigOf } from '../definitions/task-tree/realtime-config.js';
import type { TaskNode } from '../definitions/task-tree/types.js';
import { describeChoice } from './choices.js';
import type { Situation } from './situation.js';

/** What the current task of the assignment says. */
export type TaskSituation = Pick<
  Situation,
  | 'task'
  | 'context'
  | 'told'
  | 'choices'
  | 'abilities'
  | 'collects'
  | 'remainingRequired'
  | 'realtimeModelConfig'
>;

export async function readTask(machine: Machine, isWithheld: boolean): Promise<TaskSituation> {
  const task = currentTask(machine);
  const context = await celContextOf(machine);
  const told = isWithheld ? withoutPerson(context) : context;
  const collects = task.taskType === 'collect' ? await collectionOf(machine, task) : undefined;
  const { children, remaining } = offeredTasks(machine, context);
  return {
    task,
    context,
    told,
    choices: [...children, ...remaining].map((choice) => describeChoice(choice, told)),
    abilities: inheritedAbilities(machine.tree, task, context),
    collects,
    remainingRequired: remaining.map(({ name }) => name),
    realtimeModelConfig: realtimeConfigOf(machine.tree, task),
  };
}

const ability = (id: number, abilityType: string) => ({
  id,
  uuid: `00000000-0000-4000-8000-00000000000${id}`,
  abilityType,
  config: {},
  enabled: true,
  celCondition: null,
});

/** The task of a chat without a workflow: the agent follows only the instructions of its assistant. */
const conversation: TaskNode = {
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
  afterCall: null,
  realtimeModelConfig: null,
  autoNext: false,
  required: false,
  order: 0,
  abilities: [ability(1, 'handoff'), ability(2, 'schedule_follow_up')],
};

export const freeConversation: TaskSituation = {
  task: conversation,
  context: undefined,
  told: undefined,
  choices: [],
  abilities: conversation.abilities.map((ability) => ({ ability, task: conversation })),
  collects: undefined,
  remainingRequired: [],
  realtimeModelConfig: {},
};
