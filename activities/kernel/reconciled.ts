import { bookCrashedCalls } from '../../domain/agent/model-calls.js';
import { unwokenDefinitions } from '../../domain/assignments/wake-held-assignments.js';
import { unsettledCalls } from '../../domain/calls/reconcile-calls.js';
import { wakeStoppedChatsOf } from '../../domain/chat-state/wake-stopped-chats.js';
import { waitingChats } from '../../domain/conversations/chats/repair-chats.js';
import { unreadEmails } from '../../domain/conversations/emails/reconcile-emails.js';
import { workspaceHolds } from '../../domain/conversations/holds/wake-workspace.js';
import { awaitedMedia } from '../../domain/conversations/media/reconcile-media.js';
import { dueMessages } from '../../domain/conversations/scheduled-messages/reconcile-scheduled-messages.js';
import { overdueDeliveries } from '../../domain/events/webhook-deliveries/reconcile-deliveries.js';
import { pendingVersions } from '../../domain/files/indexing/reconcile-indexing.js';
import { unappliedLabelChanges } from '../../domain/kernel/apply-label-change.js';
import type { ServiceContext } from '../../domain/kernel/context.js';
import type { RowOfRun, RowsOfRun } from '../../domain/kernel/reconcile-rows.js';
import { openImports } from '../../domain/people/imports/reconcile-imports.js';
import { openExports } from '../../domain/person-data/exports/reconcile-exports.js';
import { openErasures } from '../../domain/person-data/reconcile-erasures.js';
import { runningCrawls } from '../../domain/sites/crawl/reconcile-crawls.js';
import { duePages } from '../../domain/sites/pages/reconcile-pages.js';
import { indexSomePages } from '../../domain/sites/search/index-pages.js';

/** The rows that wait for a run, in the order in which a pass looks at them. */
export const rowsThatWait: readonly RowsOfRun<RowOfRun, unknown>[] = [
  workspaceHolds,
  unwokenDefinitions,
  unappliedLabelChanges,
  waitingChats.answers,
  waitingChats.follow_ups,
  waitingChats.deliveries,
  dueMessages,
  duePages,
  runningCrawls,
  unsettledCalls,
  overdueDeliveries,
  pendingVersions,
  awaitedMedia,
  unreadEmails,
  openErasures,
  openExports,
  openImports,
];

/** A list whose rows have no run: they are settled, and leave it. */
export interface SettledRows {
  name: string;
  /** Settles the next rows. @returns whether some are left */
  settle(context: ServiceContext, workspaceId: number): Promise<boolean>;
}

/** What a pass settles after that. */
export const rowsToSettle: readonly SettledRows[] = [
  { name: 'lost_calls', settle: bookCrashedCalls },
  { name: 'out_of_credits', settle: wakeStoppedChatsOf },
  { name: 'unindexed_pages', settle: indexSomePages },
];
