import {
  findOpenHold,
  findUnwokenHold,
  lockWorkspaceHold,
  noteAllWoken,
  patchWorkspaceHold,
  type WorkspaceHoldRow,
} from '../../../db/definitions/workspace-holds.js';
import { countWaitingToWake, subjectsWaiting } from '../../../db/outbox.js';
import type { Tx } from '../../../db/tx.js';
import { pageOfUnwoken, restartWaking } from '../../assignments/wake-held-assignments.js';
import { pageOfUnsettledCalls, restartCall } from '../../calls/reconcile-calls.js';
import { noteAuditOfNobody } from '../../kernel/audit/note-audit.js';
import type { ServiceContext } from '../../kernel/context.js';
import { pokeWorkspaceWakingRun } from '../../kernel/runs.js';
import type { WalkPage } from '../../lib/paging.js';
import { pageOfWaitingChats, pokeWaitingChat, type WaitingList } from '../chats/mend-chats.js';
import {
  pageOfDueMessages,
  restartScheduledMessage,
} from '../scheduled-messages/reconcile-scheduled-messages.js';

/** How many such entries of a workspace may wait for the relay before more are added. */
const mostWaiting = 100;

/** Pokes the runs of the next page of a list. @returns how many, and the last row; undefined: the page was the last one */
type WakePage = (
  context: ServiceContext,
  workspaceId: number,
  after: number | undefined,
) => Promise<{ woken: number; after: number | undefined }>;

/** What rests in a held workspace, beside what rests by itself: the lists of the net for missing runs. */
const lists: readonly { name: string; wake: WakePage }[] = [
  { name: 'definitions', wake: pagesOf(pageOfUnwoken, restartWaking) },
  { name: 'answers', wake: chats('answers') },
  { name: 'follow_ups', wake: chats('follow_ups') },
  { name: 'deliveries', wake: chats('deliveries') },
  { name: 'scheduled_messages', wake: pagesOf(pageOfDueMessages, restartScheduledMessage) },
  { name: 'calls', wake: pagesOf(pageOfUnsettledCalls, restartCall) },
];

function chats(list: WaitingList): WakePage {
  return pagesOf(
    (context, workspaceId, after) => pageOfWaitingChats(context, workspaceId, list, after),
    pokeWaitingChat,
  );
}

function pagesOf<Item>(
  page: (context: ServiceContext, workspaceId: number, after?: number) => Promise<WalkPage<Item, number>>,
  wake: (context: ServiceContext, item: Item) => Promise<void>,
): WakePage {
  return async (context, workspaceId, after) => {
    const { items, next } = await page(context, workspaceId, after);
    for (const item of items) await wake(context, item);
    return { woken: items.length, after: next };
  };
}

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
  const { woken, after } = await list.wake(context, workspaceId, hold.wokenAfter ?? undefined);
  const following = after === undefined ? nextList?.name : list.name;
  await context.db.inWorkspace(workspaceId, async (tx) => {
    if (following === undefined) await noteAllWoken(tx, hold.id, context.clock.now());
    else await patchWorkspaceHold(tx, hold.id, { wokenList: following, wokenAfter: after ?? null });
  });
  return { woken, finished: false };
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
    noteAuditOfNobody(tx, { now }, 'workspace:resumed');
    return { woken: 0, finished: false };
  }
  const hold = await findUnwokenHold(tx);
  if (hold === undefined) return { woken: 0, finished: true };
  const isBusy = (await countWaitingToWake(tx, mostWaiting)) >= mostWaiting;
  return isBusy ? { woken: 0, finished: false } : { hold };
}

/** A workspace whose hold has a time to end, or has ended, and whose run is to wake what rests. */
export interface RestingWorkspace {
  workspaceId: number;
  workspaceUuid: string;
}

/** The workspace itself, if it is one, and no outbox entry for its run waits for the relay. */
export async function pageOfHolds(
  { db }: ServiceContext,
  workspaceId: number,
): Promise<WalkPage<RestingWorkspace, number>> {
  const items = await db.readInWorkspace(workspaceId, async (tx) => {
    const hold = (await findOpenHold(tx)) ?? (await findUnwokenHold(tx));
    if (hold === undefined || (hold.endedAt === null && hold.until === null)) return [];
    const workspace = await db.identity.workspaces.findById(workspaceId, tx);
    if (workspace === undefined) return [];
    const waiting = await subjectsWaiting(tx, 'wakeAssignments', [workspace.uuid]);
    return waiting.size > 0 ? [] : [{ workspaceId, workspaceUuid: workspace.uuid }];
  });
  return { items, next: undefined };
}

/** Pokes the missing run of a workspace. Harmless if it exists. */
export async function restartWorkspaceWaking(
  { db }: ServiceContext,
  { workspaceId, workspaceUuid }: RestingWorkspace,
): Promise<void> {
  await db.inWorkspace(workspaceId, (tx) => pokeWorkspaceWakingRun(tx, workspaceUuid));
}
