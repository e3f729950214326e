import { conclude as concludeAssignment } from '../conclude.js';
import type { Perform } from './effect.js';

export const conclude: Perform<'conclude'> = (machine, { outcome, outcomeReason }, { entering }) =>
  concludeAssignment(machine, { status: 'completed', outcome, outcomeReason }, entering);
