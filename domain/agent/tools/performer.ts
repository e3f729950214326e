import type { Entering } from '../../assignments/machine/enter-task.js';
import type { Performer } from './tool.js';

/** Attributes the entry or completion of a task to the performer of a tool call. */
export function enteringAs({ by, memberId, inTurn }: Performer): Entering {
  return by === 'operator' && memberId !== null ? { by, actorMemberId: memberId, inTurn } : { by, inTurn };
}
