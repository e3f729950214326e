import {
  findOpenHold,
  findUnwokenHold,
  lockWorkspaceHold,
  patchWorkspaceHold,
  recordAllWoken,
  type WorkspaceHoldRow,
} from '../../../db/definitions/workspace-holds.js';
import { countWaitingToWake, subjectsWaiting } from '../../../db/outbox.js';
import type { Tx } from '../../../db/tx.js';
import { unwokenDefinitions } from '../../assignments/wake-held-assignments.js';
import { unsettledCalls } from '../../calls/reconcile-calls.js';
import { recordAuditOfNobody } from '../../kernel/audit/record-audit.js';
import type { ServiceContext } from '../../kernel/context.js';
import type { RowsOfRun } from '../../kernel/reconcile-rows.js';
import { pokeWorkspaceWakingRun } from '../../kernel/runs.js';
import { waitingChats } from '../chats/repair-chats.js';
import { dueMessages } from '../scheduled-messages/reconcile-scheduled-messages.js';

/** How many such entries of a workspace may wait for the relay before more are added. */
const maxWaiting = 100;

/** What rests in a held workspace, beside what rests by itself: the lists of the net for missing runs. */
const lists: readonly { name: string; rows: RowsOfRun }[] = [
  { name: 'definitions', rows: unwokenDefinitions },
  { name: 'answers', rows: waitingChats.answers },
  { name: 'follow_ups', rows: waitingChats.follow_ups },
  { name: 'deliveries', rows: waitingChats.deliveries },
  { name: 'scheduled_messages', rows: dueMessages },
  { name: 'calls', rows: unsettledCalls },
];

export interface Waking {
  woken: number;
  /** Nothing is left to be woken now. */
  finished: boolean;
  /** When the hold ends by itself. */
  until?: number;
}

/**
 * Ends the hold of a workspace if its time is over, and wakes the next page of what has rested in it. Its place is stored
 * after each page, so that it can be repeated at any point: a run that is poked twice does nothing twice.
 */
export async function wakeWorkspace(context: ServiceContext, workspaceId: number): Promise<Waking> {
  const next = await context.db.inWorkspace(workspaceId, (tx) => nextOf(tx, context.clock.now()));
  if ('woken' in next) return next;
  const { hold } = next;
  const place = Math.max(
    lists.findIndex(({ name }) => name === hold.wokenList),
    0,
  );
  const [list, nextList] = lists.slice(place);
  if (list === undefined) return { woken: 0, finished: true };
  const { rows } = list;
  const { items, next: after } = await rows.page(context, workspaceId, hold.wokenAfter ?? undefined);
  for (const row of items) await rows.repair(context, row, 'missing');
  const following = after === undefined ? nextList?.name : list.name;
  await context.db.inWorkspace(workspaceId, async (tx) => {
    if (following === undefined) await recordAllWoken(tx, hold.id, context.clock.now());
    else await patchWorkspaceHold(tx, hold.id, { wokenList: following, wokenAfter: after ?? null });
  });
  return { woken: items.length, finished: false };
}

async function nextOf(tx: Tx, now: Date): Promise<Waking | { hold: WorkspaceHoldRow }> {
  const open = await findOpenHold(tx);
  if (open !== undefined) {
    if (open.until === null) return { woken: 0, finished: true };
    if (open.until > now) return { woken: 0, finished: true, until: open.until.getTime() };
    await lockWorkspaceHold(tx);
    const locked = await findOpenHold(tx);
    // Somebody has changed it meanwhile, which has poked the run.
    if (locked?.until?.getTime() !== open.until.getTime()) return { woken: 0, finished: false };
    await patchWorkspaceHold(tx, open.id, { endedAt: now });
    recordAuditOfNobody(tx, { now }, 'workspace:resumed');
    return { woken: 0, finished: false };
  }
  const hold = await findUnwokenHold(tx);
  if (hold === undefined) return { woken: 0, finished: true };
  const isBusy = (await countWaitingToWake(tx, maxWaiting)) >= maxWaiting;
  return isBusy ? { woken: 0, finished: false } : { hold };
}

/** The workspace itself, if its hold has a time to end, or has ended and not all is woken that rests. */
export const workspaceHolds: RowsOfRun = {
  name: 'workspace_holds',
  runType: 'wakeAssignments',
  async page({ db }, workspaceId) {
    const items = await db.readInWorkspace(workspaceId, async (tx) => {
      const hold = (await findOpenHold(tx)) ?? (await findUnwokenHold(tx));
      if (hold === undefined || (hold.endedAt === null && hold.until === null)) return [];
      const workspace = await db.identity.workspaces.findById(workspaceId, tx);
      if (workspace === undefined) return [];
      const waiting = await subjectsWaiting(tx, 'wakeAssignments', [workspace.uuid]);
      return waiting.size > 0 ? [] : [{ workspaceId, id: workspaceId, uuid: workspace.uuid }];
    });
    return { items, next: undefined };
  },
  async repair({ db }, { workspaceId, uuid }) {
    await db.inWorkspace(workspaceId, (tx) => pokeWorkspaceWakingRun(tx, uuid));
    return 'restarted';
  },
};
