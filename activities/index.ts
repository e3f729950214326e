import { turnActivities } from './agent/turns.js';
import { assignmentActivities } from './assignments/assignments.js';
import { wakingActivities } from './assignments/wake-assignments.js';
import { callActivities } from './calls/calls.js';
import { deliveryActivities } from './channels/deliveries.js';
import { missedMessageActivities } from './channels/missed-messages.js';
import { noticeActivities } from './channels/notices.js';
import { textPriceActivities } from './channels/text-prices.js';
import { chatActivities } from './conversations/chats.js';
import { mediaActivities } from './conversations/fetch-media.js';
import { handoffActivities } from './conversations/handoffs.js';
import { emailActivities } from './conversations/receive-email.js';
import { scheduledMessageActivities } from './conversations/scheduled-messages.js';
import { summaryActivities } from './conversations/summarize-chat.js';
import { webhookActivities } from './events/webhooks.js';
import { collectorActivities } from './files/collect-objects.js';
import { indexingActivities } from './files/index-file.js';
import { loginCodeActivities } from './identity/login-codes.js';
import type { ActivityDependencies } from './kernel/dependencies.js';
import { labelActivities } from './kernel/label-changes.js';
import { reconcilerActivities } from './kernel/reconciler.js';
import { retentionActivities } from './kernel/retention.js';
import { standstillActivities } from './kernel/standstill.js';
import { importActivities } from './people/import-members.js';
import { erasureActivities } from './person-data/erase-person-data.js';
import { exportActivities } from './person-data/export-person-data.js';
import { crawlActivities } from './sites/crawl.js';
import { pageActivities } from './sites/pages.js';
import { siteDomainActivities } from './sites/site-domains.js';

export type { ActivityDependencies } from './kernel/dependencies.js';

/** Creates all activities of all runs. */
export function createActivities(dependencies: ActivityDependencies) {
  return {
    ...assignmentActivities(dependencies),
    ...wakingActivities(dependencies),
    ...labelActivities(dependencies),
    ...chatActivities(dependencies),
    ...mediaActivities(dependencies),
    ...emailActivities(dependencies),
    ...handoffActivities(dependencies),
    ...scheduledMessageActivities(dependencies),
    ...summaryActivities(dependencies),
    ...turnActivities(dependencies),
    ...deliveryActivities(dependencies),
    ...callActivities(dependencies),
    ...loginCodeActivities(dependencies),
    ...webhookActivities(dependencies),
    ...noticeActivities(dependencies),
    ...indexingActivities(dependencies),
    ...importActivities(dependencies),
    ...pageActivities(dependencies),
    ...crawlActivities(dependencies),
    ...missedMessageActivities(dependencies),
    ...textPriceActivities(dependencies),
    ...reconcilerActivities(dependencies),
    ...standstillActivities(dependencies),
    ...retentionActivities(dependencies),
    ...collectorActivities(dependencies),
    ...siteDomainActivities(dependencies),
    ...erasureActivities(dependencies),
    ...exportActivities(dependencies),
  };
}

export type Activities = ReturnType<typeof createActivities>;
