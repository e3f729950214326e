import { isWorkspaceHeld } from '../../db/definitions/workspace-holds.js';
import { subjectsWaiting } from '../../db/outbox.js';
import type { Tx } from '../../db/tx.js';
import type { RunType } from '../../workflows/contracts/runs.js';
import type { WalkPage } from '../lib/paging.js';
import type { ServiceContext } from './context.js';

/** A row that should have a run, whose subject is the uuid. */
export interface RowOfRun {
  workspaceId: number;
  id: number;
  uuid: string;
}

/** Whether a run that is not open has ended, or there is none. */
export type RunGone = 'closed' | 'missing';

/** What became of a row whose run is gone: it has another run, or its work has ended; undefined: nothing was left to do. */
export type Mended = 'restarted' | 'concluded' | undefined;

/** The rows of a workspace that should have a run. The reconciler looks up whether they have. */
export interface RowsOfRun<Row extends RowOfRun = RowOfRun, Place = number> {
  /** The list of `identity.walks` that tells which workspaces have such rows. */
  name: string;
  runType: RunType;
  /** The next page, except rows with an outbox entry that the relay has yet to deliver. */
  page(
    context: ServiceContext,
    workspaceId: number,
    after?: Place,
    limit?: number,
  ): Promise<WalkPage<Row, Place>>;
  /** Mends a row whose run is gone. Harmless if it is not. */
  repair(context: ServiceContext, row: Row, run: RunGone): Promise<Mended>;
}

/** How rows that should have a run are found. */
interface Finding<Found, More> extends Pick<RowsOfRun, 'name' | 'runType'> {
  /** Selects the next rows by their id. */
  select(tx: Tx, next: { after: number; limit: number; now: Date }): Promise<Found[]>;
  /** Whether a row should have a run; absent: all should. */
  isWanting?(found: Found): boolean;
  /** They have none while their workspace is held: the end of the hold begins it. */
  restsInHold?: boolean;
  /** What else is needed to begin the run again. */
  more?(found: Found): More;
}

const pageSize = 200;

/** Makes the pages of rows that should have a run. */
export function pagesById<Found extends { id: number; uuid: string }, More extends object>({
  name,
  runType,
  select,
  isWanting = () => true,
  restsInHold,
  more,
}: Finding<Found, More>): Omit<RowsOfRun<RowOfRun & More>, 'repair'> {
  return {
    name,
    runType,
    async page({ db, clock }, workspaceId, after = 0, limit = pageSize) {
      const now = clock.now();
      return db.readInWorkspace(workspaceId, async (tx) => {
        if (restsInHold && (await isWorkspaceHeld(tx))) return { items: [], next: undefined };
        const found = await select(tx, { after, limit, now });
        const wanting = found.filter(isWanting);
        const uuids = wanting.map(({ uuid }) => uuid);
        const waiting = await subjectsWaiting(tx, runType, uuids);
        const items = wanting
          .filter(({ uuid }) => !waiting.has(uuid))
          .map((row) => ({ workspaceId, id: row.id, uuid: row.uuid, ...more?.(row) }) as RowOfRun & More);
        return { items, next: found.length < limit ? undefined : found.at(-1)?.id };
      });
    },
  };
}

/** Makes the list of rows whose run is begun again if it is gone, whether it has ended or was lost. */
export function rowsOfRun<Found extends { id: number; uuid: string }, More extends object>({
  restart,
  ...finding
}: Finding<Found, More> & {
  /** Begins the run again, if the row still needs it. */
  restart(tx: Tx, row: RowOfRun & More): Promise<void>;
}): RowsOfRun<RowOfRun & More> {
  return {
    ...pagesById(finding),
    async repair({ db }, row) {
      await db.inWorkspace(row.workspaceId, (tx) => restart(tx, row));
      return 'restarted';
    },
  };
}
