import type { Entering } from '../../assignments/machine/enter-task.js';
import type { Performer } from './tool.js';

/** How a task is entered or completed by a tool call. */
export function enteringAs({ by, memberId, inTurn }: Performer): Entering {
  return by === 'operator' && memberId !== null ? { by, actorMemberId: memberId, inTurn } : { by, inTurn };
}
