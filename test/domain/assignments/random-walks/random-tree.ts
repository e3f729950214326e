import type { RevisionTask } from '../../../../domain/definitions/revision-rules/types.js';

export const labels = ['red', 'green', 'blue'] as const;
const inner = ['message', 'message', 'wait', 'conversation', 'conversation', 'decision', 'handoff'];
const leaves = ['message', 'wait', 'conversation', 'handoff', 'conclude'];
const mostTasks = 14;
const mostLevels = 4;

/** A tree that can be published. Its conditions and guards ask for labels of the member. */
export function randomTree(random: () => number): RevisionTask {
  let count = 0;
  const chance = (share: number) => random() < share;
  const one = <T>(of: readonly T[]) => of[Math.floor(random() * of.length)] as T;
  const condition = () => {
    const holds = `"${one(labels)}" in member.labels`;
    return chance(0.5) ? holds : `!(${holds})`;
  };
  const grow = (level: number, mayBeConditional: boolean): RevisionTask => {
    count += 1;
    const name = `Task ${count}`;
    const wanted =
      level < mostLevels && count < mostTasks && chance(level === 1 ? 1 : 0.6)
        ? 1 + Math.floor(random() * 3)
        : 0;
    const taskType = one(wanted > 0 ? inner : leaves);
    const conditions = {
      ...(mayBeConditional && chance(0.3) ? { celCondition: condition() } : {}),
      ...(mayBeConditional && chance(0.15) ? { celGuard: condition() } : {}),
    };
    const children: RevisionTask[] = [];
    for (let index = 0; index < wanted; index += 1) {
      const child = grow(level + 1, true);
      // Behind a child without a condition, a decision takes none.
      const isSure = child.celCondition === undefined && child.celGuard === undefined;
      if (taskType === 'decision' && isSure && index < wanted - 1) child.celCondition = condition();
      children.push(child);
    }
    // Something has to lead on.
    const autoNext = taskType === 'conclude' ? false : children.length === 0 || chance(0.6);
    return {
      name,
      taskType,
      autoNext,
      ...conditions,
      configuration: configurationOf(taskType, chance(0.3)),
      children,
    };
  };
  return grow(1, false);
}

function configurationOf(taskType: string, goesOn: boolean): Record<string, unknown> {
  if (taskType === 'message') return { text: 'Hello' };
  if (taskType === 'wait') return { for: 'PT1H' };
  return taskType === 'decision' && goesOn ? { otherwise: 'next' } : {};
}
