import type { ToolSituation } from '../../../../domain/agent/situation.js';
import { type Sketch, taskTree } from '../../definitions/task-tree/tasks.js';

/** What tools are offered by in a task with its abilities, where there is nothing else. */
export function toolSituation(sketch: Sketch, given: Partial<ToolSituation> = {}): ToolSituation {
  const { root: task } = taskTree(sketch);
  return {
    task,
    choices: [],
    abilities: task.abilities.map((ability) => ({ ability, task })),
    collects: undefined,
    dataTypes: [],
    files: [],
    remoteTools: [],
    mayPropose: false,
    mayEmail: false,
    onCall: false,
    questions: [],
    ...given,
  };
}
