import type { ClientBase } from 'pg';
import type { Logger } from '../logger.js';

/** A workspace with overdue turns. */
export interface WaitingWorkspace {
  workspaceId: number;
  turns: number;
  oldestSeconds: number;
}

/** The turns of agents that chats are owed, in all workspaces. */
export interface OwedTurns {
  /** How long the oldest turn has been owed; 0 if none is. */
  oldestSeconds: number;
  /** Number of overdue turns, up to `overdueCountedTo`, and of their workspaces. */
  turns: number;
  workspaces: number;
  /** The workspaces that have waited longest, up to `namedInLog`. */
  longest: WaitingWorkspace[];
}

/** A turn takes seconds; if it is owed for longer, something is unavailable, too slow or broken. */
export const overdueAfterSeconds = 300;
/** The measurement reads at most this many of the oldest turns. */
export const overdueCountedTo = 10_000;

const namedInLog = 10;
const tellAgainMs = 5 * 60_000;

/** Measures the owed turns through their index (migration 0045). */
export async function readOwedTurns(client: Pick<ClientBase, 'query'>): Promise<OwedTurns> {
  const { rows } = await client.query(
    `select oldest_seconds as "oldestSeconds", turns, workspaces, longest
     from overdue_turns(make_interval(secs => $1), $2, $3)`,
    [overdueAfterSeconds, overdueCountedTo, namedInLog],
  );
  return rows[0];
}

/**
 * Logs the workspaces with overdue turns: at once, then every five minutes while there are any, and once when there are
 * none left.
 */
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
