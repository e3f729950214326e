import { conclude as concludeAssignment } from '../../assignments/machine/conclude.js';
import { configOf } from './config-of.js';
import { closed, type Tool } from './tool.js';
import { enteringAs, notActive } from './walking.js';

export const conclude: Tool = {
  colleague: 'assignments:write',

  offer(situation) {
    const config = configOf(situation, 'conclude');
    if (config === undefined) return undefined;
    const { outcomes } = config;
    const outcome = outcomes
      ? { type: 'string', enum: outcomes }
      : { type: 'string', minLength: 1, maxLength: 100 };
    return {
      description: 'End the assignment, when there is nothing left to do.',
      parameters: closed(
        {
          outcome: { ...outcome, description: 'What came of it, in one or two words.' },
          outcomeReason: { type: 'string', minLength: 1, maxLength: 500, description: 'Why, in a sentence.' },
        },
        ['outcome'],
      ),
    };
  },

  async perform({ machine, performer }, { outcome, outcomeReason }) {
    if (machine === undefined) return notActive;
    const reason = typeof outcomeReason === 'string' ? outcomeReason : undefined;
    const conclusion = { status: 'completed', outcome: String(outcome), outcomeReason: reason } as const;
    await concludeAssignment(machine, conclusion, enteringAs(performer));
    return { ok: true, status: machine.assignment.status };
  },
};
