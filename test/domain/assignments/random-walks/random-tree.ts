import type { RevisionTask } from '../../../../domain/definitions/revision-rules/types.js';

export const labels = ['red', 'green', 'blue'] as const;
const inner = ['message', 'wait', 'conversation', 'conversation', 'decision', 'decision', 'handoff'];
const leaves = ['message', 'wait', 'conversation', 'handoff', 'conclude'];
const maxTasks = 16;
const maxLevels = 4;

/** A tree that can be published. Its conditions and guards ask for labels of the member; at most one decision goes back. */
export function randomTree(random: () => number): RevisionTask {
  let count = 0;
  let goesBack = false;
  const chance = (share: number) => random() < share;
  const one = <T>(of: readonly T[]) => of[Math.floor(random() * of.length)] as T;
  const condition = () => {
    const holds = `"${one(labels)}" in member.labels`;
    return chance(0.5) ? holds : `!(${holds})`;
  };
  const grow = (level: number, mayBeConditional: boolean): RevisionTask => {
    count += 1;
    const place = count;
    const wanted =
      level < maxLevels && count < maxTasks && chance(level === 1 ? 1 : 0.7)
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
      // Behind a child without a condition, a decision takes none, and its last one is not always the otherwise.
      const isSure = child.celCondition === undefined && child.celGuard === undefined;
      const mayBeSure = index === wanted - 1 && chance(0.4);
      if (taskType === 'decision' && isSure && !mayBeSure) child.celCondition = condition();
      children.push(child);
    }
    // Something has to lead on.
    const autoNext = taskType === 'conclude' ? false : children.length === 0 || chance(0.6);
    const configuration = configurationOf(taskType, chance(0.3));
    if (taskType === 'decision' && !goesBack && place > 1 && chance(0.5)) {
      goesBack = true;
      const earlier = 1 + Math.floor(random() * (place - 1));
      Object.assign(configuration, { repeat: `Task ${earlier}`, atMost: one([1, 2]) });
    }
    return { name: `Task ${place}`, taskType, autoNext, ...conditions, configuration, children };
  };
  return grow(1, false);
}

function configurationOf(taskType: string, goesOn: boolean): Record<string, unknown> {
  if (taskType === 'message') return { text: 'Hello' };
  if (taskType === 'wait') return { for: 'PT1H' };
  return taskType === 'decision' && goesOn ? { otherwise: 'next' } : {};
}
