import { bookCrashedCalls } from '../../domain/agent/model-calls.js';
import {
  type ActiveRun,
  listActiveRunsOf,
  pageOfActiveRuns,
  reconcileRun,
} from '../../domain/assignments/reconcile-runs.js';
import {
  pageOfUnwoken,
  restartWaking,
  type Unwoken,
} from '../../domain/assignments/wake-held-assignments.js';
import { pageOfUnsettledCalls, restartCall, type UnsettledCall } from '../../domain/calls/reconcile-calls.js';
import { wakeStoppedChatsOf } from '../../domain/chat-state/wake-stopped-chats.js';
import {
  pageOfWaitingChats,
  pokeWaitingChat,
  type WaitingChat,
  type WaitingList,
} from '../../domain/conversations/chats/mend-chats.js';
import {
  pageOfUnreadEmails,
  restartReceiving,
  type UnreadEmail,
} from '../../domain/conversations/emails/reconcile-emails.js';
import {
  pageOfHolds,
  type RestingWorkspace,
  restartWorkspaceWaking,
} from '../../domain/conversations/holds/wake-workspace.js';
import {
  type MediaAwaiting,
  pageOfAwaitedMedia,
  restartMedia,
} from '../../domain/conversations/media/reconcile-media.js';
import {
  type DueMessage,
  pageOfDueMessages,
  restartScheduledMessage,
} from '../../domain/conversations/scheduled-messages/reconcile-scheduled-messages.js';
import {
  type OverdueAfter,
  type OverdueDelivery,
  pageOfOverdueRuns,
  reconcileDelivery,
} from '../../domain/events/webhook-deliveries/reconcile-deliveries.js';
import {
  type PendingIndexing,
  pageOfPendingVersions,
  restartIndexing,
} from '../../domain/files/indexing/reconcile-indexing.js';
import {
  pageOfLabelChanges,
  restartLabelChange,
  type UnappliedLabelChange,
} from '../../domain/kernel/apply-label-change.js';
import {
  type OpenImport,
  pageOfOpenImports,
  restartImport,
} from '../../domain/people/imports/reconcile-imports.js';
import {
  type OpenExport,
  pageOfOpenExports,
  restartExport,
} from '../../domain/person-data/exports/read-export.js';
import {
  type OpenErasure,
  pageOfOpenErasures,
  restartErasure,
} from '../../domain/person-data/read-erasure.js';
import {
  mendCrawl,
  pageOfRunningCrawls,
  type RunningCrawl,
} from '../../domain/sites/crawl/reconcile-crawls.js';
import {
  type DuePage,
  pageOfDuePages,
  restartPublication,
} from '../../domain/sites/pages/reconcile-pages.js';
import { indexSomePages } from '../../domain/sites/search/index-pages.js';
import { workflowIdOf } from '../../workflows/contracts/runs.js';
import type { Sliced } from '../../workflows/contracts/steps.js';
import { atOnce } from './at-once.js';
import type { ActivityDependencies } from './dependencies.js';
import { paced } from './paced.js';
import { beginSlice, sliceMs } from './slice.js';
import { wakeLeftRuns } from './wake-left-runs.js';
import { type WalkedList, walk } from './walk.js';

interface Found {
  /** Rows whose run was looked up. */
  checked: number;
  restarted: number;
  concluded: number;
  /** Rows that could not be looked up or repaired this time; the log says why. */
  failed: number;
}

/** What a slice of the walk found; `walked`: the rows that wait were looked at, active assignments are left. */
export interface Reconciliation extends Found, Sliced<{ walked: boolean }> {
  /** Open runs of assignments that had ended, which were poked. */
  woken: number;
  /** Whether the walk was completed; otherwise the next one continues from its position. */
  finished: boolean;
}

export interface ReceiptsAskedFor extends Pick<Reconciliation, 'checked' | 'failed' | 'finished'>, Sliced {
  /** Chats whose run was poked to ask the carrier for a late receipt. */
  woken: number;
}

/** A row that should have a run. */
interface Candidate {
  what: object;
  workflowId: string;
  mend(status: 'closed' | 'missing'): Promise<'restarted' | 'concluded' | undefined>;
}

/** Of a slice, what is spent on the open runs of assignments that have ended. */
const leftRunsPart = 1 / 4;
const lookUpsAtOnce = 24;
const closedAtOnce = 100;
/** The requests of workers for tasks have less priority at Temporal than look-ups, which could crowd them out. */
const lookUpsPerSecond = 100;
/** How many active assignments a pass looks up, unless it finds one that has no run, or a day has gone by. */
const assignmentsAPass = 50;
const allAssignmentsEveryMs = 24 * 60 * 60_000;
/** Temporal's visibility index lags, so runs that closed shortly before the last look are checked again. */
const visibilityLagMs = 10 * 60_000;

export function reconcilerActivities(
  dependencies: Pick<ActivityDependencies, 'db' | 'clock' | 'logger' | 'runs'>,
  options: { sliceMs?: number } = {},
) {
  const { db, logger, runs } = dependencies;
  const { workspaces, walks } = db.identity;
  const assignments: WalkedList<Candidate> = {
    name: 'assignments',
    async page(workspaceId, after) {
      const page = await pageOfActiveRuns(
        dependencies,
        workspaceId,
        after as number | undefined,
        assignmentsAPass,
      );
      return { ...page, items: page.items.map(ofAssignment) };
    },
  };
  const unwoken: WalkedList<Candidate> = {
    name: 'unwoken',
    async page(workspaceId, after) {
      const page = await pageOfUnwoken(dependencies, workspaceId, after as number | undefined);
      return { ...page, items: page.items.map(ofUnwoken) };
    },
  };
  const holds: WalkedList<Candidate> = {
    name: 'workspace_holds',
    async page(workspaceId) {
      const page = await pageOfHolds(dependencies, workspaceId);
      return { ...page, items: page.items.map(ofHold) };
    },
  };
  const labelChanges: WalkedList<Candidate> = {
    name: 'label_changes',
    async page(workspaceId, after) {
      const page = await pageOfLabelChanges(dependencies, workspaceId, after as number | undefined);
      return { ...page, items: page.items.map(ofLabelChange) };
    },
  };
  const indexings: WalkedList<Candidate> = {
    name: 'indexings',
    async page(workspaceId, after) {
      const page = await pageOfPendingVersions(dependencies, workspaceId, after as number | undefined);
      return { ...page, items: page.items.map(ofIndexing) };
    },
  };
  const media: WalkedList<Candidate> = {
    name: 'media',
    async page(workspaceId, after) {
      const page = await pageOfAwaitedMedia(dependencies, workspaceId, after as number | undefined);
      return { ...page, items: page.items.map(ofMedia) };
    },
  };
  const scheduled: WalkedList<Candidate> = {
    name: 'scheduled_messages',
    async page(workspaceId, after) {
      const page = await pageOfDueMessages(dependencies, workspaceId, after as number | undefined);
      return { ...page, items: page.items.map(ofScheduled) };
    },
  };
  const publications: WalkedList<Candidate> = {
    name: 'publications',
    async page(workspaceId, after) {
      const page = await pageOfDuePages(dependencies, workspaceId, after as number | undefined);
      return { ...page, items: page.items.map(ofPublication) };
    },
  };
  const crawls: WalkedList<Candidate> = {
    name: 'crawls',
    async page(workspaceId, after) {
      const page = await pageOfRunningCrawls(dependencies, workspaceId, after as number | undefined);
      return { ...page, items: page.items.map(ofCrawl) };
    },
  };
  const calls: WalkedList<Candidate> = {
    name: 'calls',
    async page(workspaceId, after) {
      const page = await pageOfUnsettledCalls(dependencies, workspaceId, after as number | undefined);
      return { ...page, items: page.items.map(ofCall) };
    },
  };
  const mails: WalkedList<Candidate> = {
    name: 'mails',
    async page(workspaceId, after) {
      const page = await pageOfUnreadEmails(dependencies, workspaceId, after as number | undefined);
      return { ...page, items: page.items.map(ofMail) };
    },
  };
  const erasures: WalkedList<Candidate> = {
    name: 'erasures',
    async page(workspaceId, after) {
      const page = await pageOfOpenErasures(dependencies, workspaceId, after as number | undefined);
      return { ...page, items: page.items.map(ofErasure) };
    },
  };
  const exports: WalkedList<Candidate> = {
    name: 'exports',
    async page(workspaceId, after) {
      const page = await pageOfOpenExports(dependencies, workspaceId, after as number | undefined);
      return { ...page, items: page.items.map(ofExport) };
    },
  };
  const imports: WalkedList<Candidate> = {
    name: 'member_imports',
    async page(workspaceId, after) {
      const page = await pageOfOpenImports(dependencies, workspaceId, after as number | undefined);
      return { ...page, items: page.items.map(ofImport) };
    },
  };
  const webhooks: WalkedList<Candidate> = {
    name: 'webhooks',
    async page(workspaceId, after) {
      const page = await pageOfOverdueRuns(dependencies, workspaceId, after as OverdueAfter | undefined);
      return { ...page, items: page.items.map(ofWebhook) };
    },
  };

  const lostCalls = settled('lost_calls', (workspaceId) => bookCrashedCalls(dependencies, workspaceId));
  const unindexedPages = settled('unindexed_pages', (workspaceId) =>
    indexSomePages(dependencies, workspaceId),
  );
  const outOfCredits = settled('out_of_credits', (workspaceId) =>
    wakeStoppedChatsOf(dependencies, workspaceId),
  );

  const lists = [
    holds,
    unwoken,
    labelChanges,
    chats('answers'),
    chats('follow_ups'),
    chats('deliveries'),
    scheduled,
    publications,
    crawls,
    calls,
    webhooks,
    indexings,
    media,
    mails,
    erasures,
    exports,
    imports,
    lostCalls,
    outOfCredits,
    unindexedPages,
  ];
  const pace = paced(lookUpsPerSecond);

  return {
    /**
     * Checks the runs that closed abnormally since the last look, wakes open ones whose assignments have ended, then continues
     * the walks: through the rows that wait for a run, and through the active assignments.
     */
    async reconcileRuns(from?: { walked: boolean }): Promise<Reconciliation> {
      const found = { checked: 0, restarted: 0, concluded: 0, woken: 0, failed: 0 };
      const isTimeUp = beginSlice(options.sliceMs);
      const seen = new Set<string>();
      const isNew = ({ workflowId }: Candidate) => !seen.has(workflowId);
      await reconcileClosed(found, seen, isTimeUp);
      await wakeLeftRuns(dependencies, found, {
        now: dependencies.clock.now(),
        isTimeUp: beginSlice((options.sliceMs ?? sliceMs) * leftRunsPart),
        onFailure: (what, error) => note(found, what, error),
      });
      const seeTo = (candidates: Candidate[]) => reconcile(candidates.filter(isNew), found);
      const walked = from?.walked === true || (await lookAtRows(found, seeTo, isTimeUp));
      const finished = walked && (await lookAtAssignments(found, seeTo, isTimeUp));
      return { ...found, finished, ...(finished ? {} : { next: { walked } }) };
    },

    /** Pokes the deliveries of chats that have a late receipt and no open run. */
    async askForReceipts(): Promise<ReceiptsAskedFor> {
      const found = { checked: 0, restarted: 0, concluded: 0, failed: 0 };
      const finished = await walk({
        name: 'ask_for_receipts',
        walks,
        places: await walks.workspacesWith(['receipts']),
        lists: [chats('receipts')],
        seeTo: (candidates) => reconcile(candidates, found),
        onFailure: (where, error) => note(found, where, error),
        isTimeUp: beginSlice(options.sliceMs),
      });
      const { checked, restarted: woken, failed } = found;
      return { checked, woken, failed, finished, ...(finished ? {} : { next: true }) };
    },
  };

  /** Looks at the rows that wait for a run. @returns whether it was in time */
  async function lookAtRows(
    found: Found,
    seeTo: (candidates: Candidate[]) => Promise<void>,
    isTimeUp: () => boolean,
  ): Promise<boolean> {
    return walk({
      name: 'reconcile_runs',
      walks,
      places: await walks.workspacesWith(lists.map(({ name }) => name)),
      lists,
      seeTo,
      onFailure: (where, error) => note(found, where, error),
      isTimeUp,
    });
  }

  /**
   * Looks up the next active assignments, a few a pass: their runs end abnormally in the list of those, and are hardly ever lost.
   * If one is, or it is a day since all were looked at, the rest follows at once. @returns whether it was in time
   */
  async function lookAtAssignments(
    found: Found,
    seeTo: (candidates: Candidate[]) => Promise<void>,
    isTimeUp: () => boolean,
  ): Promise<boolean> {
    const name = 'reconcile_assignments';
    const now = dependencies.clock.now();
    const last = (await walks.lookedUntil(name)) ?? now;
    const mended = () => found.restarted + found.concluded;
    const before = mended();
    let looked = 0;
    let areAllDue = now.getTime() - last.getTime() >= allAssignmentsEveryMs;
    const finished = await walk({
      name,
      walks,
      places: await walks.workspacesWith([assignments.name]),
      lists: [
        {
          ...assignments,
          async page(workspaceId, after) {
            const page = await assignments.page(workspaceId, after);
            looked += Math.max(page.items.length, 1);
            return page;
          },
        },
      ],
      async seeTo(candidates) {
        await seeTo(candidates);
        areAllDue ||= mended() > before;
      },
      onFailure: (where, error) => note(found, where, error),
      isTimeUp: () => isTimeUp() || (!areAllDue && looked >= assignmentsAPass),
    });
    // All were looked at since the walk before, or are to be by the next passes.
    if (finished) await walks.saveLookedUntil(name, now);
    else if (areAllDue) await walks.saveLookedUntil(name, new Date(0));
    else await walks.saveLookedUntil(name, last);
    return finished || !isTimeUp();
  }

  /** A list without runs: reading a page settles its rows, which leave the list. `settle` tells whether some are left. */
  function settled(name: string, settle: (workspaceId: number) => Promise<boolean>): WalkedList<Candidate> {
    return {
      name,
      async page(workspaceId) {
        return { items: [], next: (await settle(workspaceId)) ? name : undefined };
      },
    };
  }

  function chats(name: WaitingList): WalkedList<Candidate> {
    return {
      name,
      async page(workspaceId, after) {
        const page = await pageOfWaitingChats(dependencies, workspaceId, name, after as number | undefined);
        return { ...page, items: page.items.map(ofChat) };
      },
    };
  }

  /** A candidate whose run is begun again if it is missing. */
  function begunAgain<What extends Candidate['what']>(
    what: What,
    workflowId: string,
    restart: (context: typeof dependencies, what: What) => Promise<void>,
  ): Candidate {
    return {
      what,
      workflowId,
      async mend() {
        await restart(dependencies, what);
        return 'restarted';
      },
    };
  }

  function ofAssignment(run: ActiveRun): Candidate {
    const workflowId = workflowIdOf('runAssignment', run.assignmentUuid);
    return { what: run, workflowId, mend: (status) => reconcileRun(dependencies, run, status) };
  }

  function ofChat(chat: WaitingChat): Candidate {
    return begunAgain(chat, workflowIdOf(chat.waitsFor, chat.chatUuid), pokeWaitingChat);
  }

  function ofUnwoken(definition: Unwoken): Candidate {
    return begunAgain(definition, workflowIdOf('wakeAssignments', definition.definitionUuid), restartWaking);
  }

  function ofHold(workspace: RestingWorkspace): Candidate {
    const workflowId = workflowIdOf('wakeAssignments', workspace.workspaceUuid);
    return begunAgain(workspace, workflowId, restartWorkspaceWaking);
  }

  function ofLabelChange(change: UnappliedLabelChange): Candidate {
    return begunAgain(change, workflowIdOf('applyLabelChange', change.labelUuid), restartLabelChange);
  }

  function ofIndexing(version: PendingIndexing): Candidate {
    return {
      what: version,
      workflowId: workflowIdOf('indexFile', version.versionUuid),
      async mend() {
        await restartIndexing(dependencies, version);
      },
    };
  }

  function ofMedia(message: MediaAwaiting): Candidate {
    return begunAgain(message, workflowIdOf('fetchMedia', message.messageUuid), restartMedia);
  }

  function ofScheduled(message: DueMessage): Candidate {
    return begunAgain(
      message,
      workflowIdOf('sendScheduledMessage', message.scheduledMessageUuid),
      restartScheduledMessage,
    );
  }

  function ofPublication(page: DuePage): Candidate {
    return begunAgain(page, workflowIdOf('publishPage', page.pageUuid), restartPublication);
  }

  function ofCrawl(crawl: RunningCrawl): Candidate {
    const workflowId = workflowIdOf('crawlSite', crawl.siteUuid);
    return { what: crawl, workflowId, mend: (status) => mendCrawl(dependencies, crawl, status) };
  }

  function ofCall(call: UnsettledCall): Candidate {
    return begunAgain(call, workflowIdOf('runVoiceCall', call.callUuid), restartCall);
  }

  function ofMail(mail: UnreadEmail): Candidate {
    return begunAgain(mail, workflowIdOf('receiveEmail', mail.inboundEmailUuid), restartReceiving);
  }

  function ofErasure(erasure: OpenErasure): Candidate {
    return begunAgain(erasure, workflowIdOf('erasePersonData', erasure.erasureUuid), restartErasure);
  }

  function ofExport(open: OpenExport): Candidate {
    return begunAgain(open, workflowIdOf('exportPersonData', open.exportUuid), restartExport);
  }

  function ofImport(open: OpenImport): Candidate {
    return begunAgain(open, workflowIdOf('importMembers', open.importUuid), restartImport);
  }

  function ofWebhook(overdue: OverdueDelivery): Candidate {
    const workflowId = workflowIdOf('deliverWebhook', overdue.deliveryUuid);
    return { what: overdue, workflowId, mend: (status) => reconcileDelivery(dependencies, overdue, status) };
  }

  /** A candidate that cannot be looked up or repaired must not stop the rest. */
  async function reconcile(candidates: readonly Candidate[], found: Found): Promise<void> {
    await atOnce(lookUpsAtOnce, candidates, async ({ what, workflowId, mend }) => {
      found.checked += 1;
      try {
        await pace();
        const status = await runs.statusOf(workflowId);
        const mended = status === 'running' ? undefined : await mend(status);
        if (mended !== undefined) {
          found[mended] += 1;
          logger.warn({ ...what, workflowId }, `a run has ended before its work: ${mended}`);
        }
      } catch (error) {
        note(found, what, error);
      }
    });
  }

  /**
   * Finds terminated runs in each slice, wherever the walk is. Those for which there is no time are left to the walk through
   * all assignments. Adds to `seen`.
   */
  async function reconcileClosed(found: Found, seen: Set<string>, isTimeUp: () => boolean): Promise<void> {
    const now = new Date();
    const last = (await walks.lookedUntil('closed_runs')) ?? now;
    try {
      const closed = await runs.listClosedAssignments(new Date(last.getTime() - visibilityLagMs));
      const candidates: Candidate[] = [];
      for (const [workspaceUuid, assignmentUuids] of closed) {
        const workspace = await workspaces.findByUuid(workspaceUuid);
        if (workspace === undefined) continue;
        const active = await listActiveRunsOf(dependencies, workspace.id, assignmentUuids);
        candidates.push(...active.map(ofAssignment));
      }
      while (candidates.length > 0) {
        const some = candidates.splice(0, closedAtOnce);
        for (const { workflowId } of some) seen.add(workflowId);
        await reconcile(some, found);
        if (candidates.length > 0 && isTimeUp()) {
          await walks.saveLookedUntil('reconcile_assignments', new Date(0));
          break;
        }
      }
      await walks.saveLookedUntil('closed_runs', now);
    } catch (error) {
      note(found, { list: 'closed_runs' }, error);
    }
  }

  function note(found: { failed: number }, what: object, error: unknown): void {
    found.failed += 1;
    logger.warn({ ...what, code: error instanceof Error ? error.name : 'unknown' }, 'not reconciled');
  }
}
