import { workspaceIsHeld } from '../definitions/workspace-holds.js';
import { prepared } from '../statement.js';
import type { Tx } from '../tx.js';

/**
 * Reads a text for each call that changes whenever there may be news of the call, without locks and for any number of calls at once.
 * Calls that are gone, or whose chats are, have none.
 */
export async function selectCallStates(tx: Tx, callIds: readonly number[]): Promise<Map<number, string>> {
  const rows = await prepared<{ id: number; state: string }>(
    tx,
    `select c.id, concat_ws(' ', c.ended_by, c.finished_at is null, coalesce(b.attempt, 0), b.began_at is null,
         h.revision, h.version, h.paused, h.archived, h.assistant_enabled, coalesce(h.agent_stopped_reason, '-'),
         coalesce(a.status, '-'), coalesce(a.current_task_id, 0), a.updated_at, d.held_at,
         ${workspaceIsHeld}) as state
     from phone_calls c join chats h on h.id = c.chat_id left join assignments a on a.chat_id = h.id
       left join workflow_definitions d on d.id = a.definition_id
       left join lateral
         (select attempt, began_at from call_bridges where call_id = c.id order by attempt desc limit 1) b on true
     where c.id = any(?)`,
    [callIds],
  );
  return new Map(rows.map(({ id, state }) => [id, state]));
}
