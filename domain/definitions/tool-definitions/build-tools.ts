import { abilityTools } from './ability-tools.js';
import { completeTask, saveData, selectTask } from './task-tools.js';
import type { ToolDefinition, ToolSituation } from './types.js';

/**
 * The tools of an agent's turn: one to select a child task, those of the task itself, and those of the abilities in
 * force. Names are unique; the task's own `save_data` takes precedence over that of an ability.
 */
export function buildTools(situation: ToolSituation): ToolDefinition[] {
  const { task, choices, collects } = situation;
  const own: ToolDefinition[] = [];
  if (choices.length > 0) own.push(selectTask(choices));
  if (task.taskType === 'conversation' && task.autoNext && choices.length === 0) own.push(completeTask());
  if (task.taskType === 'collect' && collects) {
    own.push(saveData(collects.dataTypeName, collects.fields, collects.missing));
  }
  const taken = new Set(own.map((tool) => tool.name));
  return [...own, ...abilityTools(situation).filter((tool) => !taken.has(tool.name))];
}
