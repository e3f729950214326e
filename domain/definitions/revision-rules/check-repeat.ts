import { suggestion } from '../../lib/closest.js';
import type { Finding } from './findings.js';
import type { RevisionTask } from './types.js';

/** Checks to what a decision goes back: `tasks` are all tasks in the order of the tree. */
export function checkRepeat(decision: RevisionTask, tasks: readonly RevisionTask[]): Finding[] {
  const { repeat, atMost } = decision.configuration ?? {};
  if (typeof repeat !== 'string') {
    const message = 'is how often a decision with repeat goes back';
    return atMost === undefined ? [] : [{ pointer: '/configuration/atMost', message }];
  }
  const earlier = tasks.slice(0, tasks.indexOf(decision)).map(({ name }) => name);
  const count = tasks.filter(({ name }) => name === repeat).length;
  const why = !earlier.includes(repeat)
    ? `names the task "${repeat}", which does not come before this one${suggestion(repeat, earlier)}`
    : `names the task "${repeat}", but ${count} tasks have this name: rename all but one`;
  const isClear = earlier.includes(repeat) && count === 1;
  return [
    ...(isClear ? [] : [{ pointer: '/configuration/repeat', message: why }]),
    ...(atMost === undefined
      ? [{ pointer: '/configuration/atMost', message: 'is required: how often the decision goes back' }]
      : []),
  ];
}
