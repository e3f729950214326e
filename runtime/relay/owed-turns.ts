import type { ClientBase } from 'pg';
import type { Logger } from '../logger.js';

/** A workspace with turns that are overdue. */
export interface WaitingWorkspace {
  workspaceId: number;
  turns: number;
  oldestSeconds: number;
}

/** How the agents' turns stand that chats are owed, in all workspaces. */
export interface OwedTurns {
  /** For how long the oldest has been owed; 0 where none is. */
  oldestSeconds: number;
  /** How many are overdue, up to `overdueCountedTo`, and of how many workspaces. */
  turns: number;
  workspaces: number;
  /** The workspaces that have waited longest, up to `namedInLog`. */
  longest: WaitingWorkspace[];
}

/** A turn takes seconds; where it is owed for longer, something is away, too slow or broken. */
export const overdueAfterSeconds = 300;
/** The measure looks at so many of the oldest at most. */
export const overdueCountedTo = 10_000;

const namedInLog = 10;
const tellAgainMs = 5 * 60_000;

/** Measures the turns by their index (migration 0045). */
export async function readOwedTurns(client: Pick<ClientBase, 'query'>): Promise<OwedTurns> {
  const { rows } = await client.query(
    `select oldest_seconds as "oldestSeconds", turns, workspaces, longest
     from overdue_turns(make_interval(secs => $1), $2, $3)`,
    [overdueAfterSeconds, overdueCountedTo, namedInLog],
  );
  return rows[0];
}

/** Tells the log which workspaces wait: at once, then every five minutes for as long as any does, and when none does any more. */
export function tellOverdueTurns(logger: Logger): (owed: OwedTurns) => void {
  let toldAt: number | undefined;
  return ({ turns, workspaces, longest }) => {
    const now = performance.now();
    if (turns === 0) {
      if (toldAt !== undefined) logger.info('no turn of an agent is overdue any more');
      toldAt = undefined;
    } else if (toldAt === undefined || now - toldAt >= tellAgainMs) {
      toldAt = now;
      logger.warn({ turns, workspaces, longest }, 'turns of agents are overdue');
    }
  };
}
