import { listLeftRuns } from '../../domain/assignments/left-runs.js';
import { workflowIdOf } from '../../workflows/contracts/runs.js';
import { atOnce } from './at-once.js';
import type { ActivityDependencies } from './dependencies.js';

/** The name of the listing's position in `identity.walks`. */
const name = 'open_runs';
/** A listing costs a request for each thousand open runs, and a run that does not end gets a signal each time. */
const listEveryMs = 60 * 60_000;
/** So that a pass asks no more than this of Temporal; the next one goes on. */
const maxPages = 40;
const lookUpsAtOnce = 4;
const pokesAtOnce = 24;

interface Found {
  woken: number;
  failed: number;
}

interface Options {
  now: Date;
  isTimeUp(): boolean;
  onFailure(what: object, error: unknown): void;
}

/**
 * Once an hour, lists the open runs of assignments, from the position at which the time was up, and pokes those whose
 * assignments have ended, which then end. A page that cannot be read is read again by the next call.
 */
export async function wakeLeftRuns(
  dependencies: Pick<ActivityDependencies, 'db' | 'clock' | 'logger' | 'runs'>,
  found: Found,
  { now, isTimeUp, onFailure }: Options,
): Promise<void> {
  const { db, logger, runs } = dependencies;
  const { workspaces, walks } = db.identity;
  try {
    const last = await walks.lookedUntil(name);
    if (last !== undefined && now.getTime() - last.getTime() < listEveryMs) return;
    let after = (await walks.placeOf(name))?.after as string | undefined;
    let pages = 0;
    do {
      pages += 1;
      const page = await runs.listOpenAssignments(after);
      await atOnce(lookUpsAtOnce, [...page.items], ([workspaceUuid, uuids]) =>
        wakeThose(workspaceUuid, uuids),
      );
      after = page.next;
      await walks.savePlace(name, after === undefined ? undefined : { workspaceId: 0, list: name, after });
    } while (after !== undefined && pages < maxPages && !isTimeUp());
    if (after === undefined) await walks.saveLookedUntil(name, now);
  } catch (error) {
    onFailure({ list: name }, error);
  }

  async function wakeThose(workspaceUuid: string, assignmentUuids: readonly string[]): Promise<void> {
    try {
      // A workspace that has been deleted by hand. Another installation cannot use the namespace: ids and queues are the same.
      const workspace = await workspaces.findByUuid(workspaceUuid);
      if (workspace === undefined) return;
      const left = await listLeftRuns(dependencies, workspace.id, assignmentUuids);
      await atOnce(pokesAtOnce, left, (uuid) => wake(workspace.id, uuid));
    } catch (error) {
      onFailure({ list: name, workspaceUuid }, error);
    }
  }

  async function wake(workspaceId: number, assignmentUuid: string): Promise<void> {
    const workflowId = workflowIdOf('runAssignment', assignmentUuid);
    try {
      // Visibility lags: the run may have closed.
      if (!(await runs.poke(workflowId))) return;
      found.woken += 1;
      logger.warn({ workspaceId, workflowId }, 'the open run of an assignment that has ended is poked');
    } catch (error) {
      onFailure({ list: name, workflowId }, error);
    }
  }
}
