import { expect, it } from 'vitest';
import { blockedReasonOf } from '../../../domain/assignments/advance-assignment.js';

const going = { archived: false, agentStoppedReason: null, paused: false, standingReason: null };

it.each([
  ['nothing, where it goes on', {}, false, undefined],
  ['why nothing leads on', { standingReason: 'no_way_on' }, false, 'no_way_on'],
  [
    'that a person has it, before what it stands for',
    { paused: true, standingReason: 'no_way_on' },
    false,
    'paused',
  ],
  [
    'why the agent is stopped',
    { agentStoppedReason: 'turn_budget', standingReason: 'x' },
    false,
    'turn_budget',
  ],
  ['that a colleague has to decide', {}, true, 'approval'],
  ['nothing of what is archived', { archived: true, standingReason: 'no_way_on' }, true, undefined],
])('operators read %s', (_what, changes, awaitsApproval, stands) => {
  expect(blockedReasonOf({ ...going, ...changes }, awaitsApproval).stands).toBe(stands);
});
