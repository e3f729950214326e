import { goesOnOtherwise, takesOneChild } from '../task-tree/takes-one-child.js';
import type { Finding } from './findings.js';
import type { RevisionAbility, RevisionTask } from './types.js';
import type { Visit } from './walk-tasks.js';

/** The types of tasks after which something has to lead on. */
const leading = ['conversation', 'collect', 'call', 'message', 'wait', 'handoff'];

/**
 * Checks that something leads on from a task. `hasMoreRequired`: once it is complete, the agent may also go to required
 * tasks elsewhere in the tree that were not visited.
 */
export function checkWayOn({ task, ancestors }: Visit, hasMoreRequired: boolean): Finding[] {
  const { taskType, autoNext = false, children = [] } = task;
  if (taskType === 'decision') {
    const takesNothing = children.length === 0 && task.configuration?.repeat === undefined;
    const isSure = takesNothing || children.some(hasNoCondition) || goesOnOtherwise(task);
    return isSure ? [] : [noOtherwise];
  }
  if (!leading.includes(taskType) || autoNext) return [];
  const abilities = abilitiesInForce([...ancestors, task]);
  const endings = abilities.filter(
    ({ abilityType }) => abilityType === 'conclude' || abilityType === 'handoff',
  );
  if (children.length === 0 && endings.length === 0) return [deadEnd(taskType, hasMoreRequired)];
  if (taskType === 'handoff') return [];
  const saves = abilities.some(({ abilityType }) => abilityType === 'save_data');
  const isSure = children.some(hasNoCondition) || endings.some(({ celCondition }) => !celCondition);
  // What the agent saves can make a condition true.
  if (!isSure && !saves) return [everyWayConditional];
  return taskType === 'message' ||
    taskType === 'call' ||
    (taskType !== 'conversation' && children.length === 0)
    ? [waitsForMember[taskType as keyof typeof waitsForMember]]
    : [];
}

/** Warns of a child that is written as a choice, while the tree goes on from it to the next one. */
export function checkChoice({ task, ancestors }: Visit): Finding[] {
  const parent = ancestors.at(-1);
  const isStep = parent !== undefined && !takesOneChild(parent) && parent.children?.at(-1) !== task;
  if (!isStep || !task.choicePrompt || task.taskType === 'conclude') return [];
  const message = `is given, but the task is a step of "${parent.name}", which has autoNext: the next step follows`;
  return [{ code: 'choice_among_steps', pointer: '/choicePrompt', message }];
}

export function hasNoCondition({ celCondition, celGuard }: RevisionTask): boolean {
  return !celCondition && !celGuard;
}

/** For each type of ability the nearest declaration applies. */
function abilitiesInForce(lineage: readonly RevisionTask[]): RevisionAbility[] {
  const declared = lineage.flatMap((task) => task.abilities ?? []);
  const nearest = new Map(declared.map((ability) => [ability.abilityType, ability]));
  return [...nearest.values()].filter(({ enabled }) => enabled !== false);
}

function deadEnd(taskType: string, hasMoreRequired: boolean): Finding {
  const ways = 'children, autoNext or the ability conclude or handoff';
  if (taskType === 'handoff') {
    const message = `nothing leads on once a person resumes the agent: that needs ${ways}`;
    return { code: 'handoff_leads_nowhere', pointer: '', message };
  }
  if (hasMoreRequired && taskType !== 'conversation') return waitsForMember.wait;
  return { pointer: '', message: `a ${taskType} needs ${ways} to come to an end` };
}

const everyWayConditional: Finding = {
  code: 'every_way_conditional',
  pointer: '',
  message:
    'every way on has a condition: while none of them holds, nothing leads on and a colleague is alerted',
};

const noOtherwise: Finding = {
  code: 'every_way_conditional',
  pointer: '/children',
  message:
    'no child is without a condition: while none holds, the assignment stands and a colleague is alerted. Give the decision a last child without a condition, or "otherwise": "next" in its configuration to go on behind it',
};

const afterwards = (when: string): Finding => ({
  code: 'waits_for_member',
  pointer: '/autoNext',
  message: `${when}, nothing happens until the member writes; with autoNext the assignment goes on by itself`,
});
const waitsForMember = {
  message: afterwards('once the text is sent'),
  wait: afterwards('once it is complete'),
  collect: afterwards('if the fields have values already'),
  call: afterwards('if the call ends before a child is selected'),
};
