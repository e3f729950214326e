import {
  insertFollowUp,
  markFollowUpCancelled,
  markFollowUpFired,
} from '../../../db/conversations/follow-ups.js';
import { days } from '../lib/moved-clock.js';
import type { Place } from '../workspace/factories.js';

export interface FollowUpOptions {
  instructions?: string;
  dueAt?: Date;
  scheduledByMemberId?: number | null;
  firedAt?: Date;
  cancelled?: { at: Date; byMemberId: number };
}

/** A follow-up of a chat as a row, due tomorrow; no run is told. @returns its id */
export async function addFollowUp(
  { database, workspaceId }: Pick<Place, 'database' | 'workspaceId'>,
  chatId: number,
  options: FollowUpOptions = {},
): Promise<number> {
  const { instructions = 'Ask how it went', dueAt = new Date(Date.now() + days(1)) } = options;
  return database.inWorkspace(workspaceId, async (tx) => {
    const { scheduledByMemberId = null, firedAt, cancelled } = options;
    const { id } = await insertFollowUp(tx, { chatId, instructions, dueAt, scheduledByMemberId });
    if (firedAt !== undefined) await markFollowUpFired(tx, id, firedAt);
    if (cancelled !== undefined) await markFollowUpCancelled(tx, id, cancelled);
    return id;
  });
}
