import {
  claimNotice,
  type NoticeKind,
  type NoticeRef,
  type NoticeRow,
  recordNotice,
} from '../../domain/channels/outreach/claim-notice.js';
import { handoffNotices } from '../../domain/conversations/handoffs/handoff-notice-kind.js';
import { ruleNotices } from '../../domain/events/event-rules/rule-notice-kind.js';
import { notConfigured } from '../../providers/failures.js';
import { outcomeNameOf, performOnce } from '../kernel/at-most-once.js';
import type { ActivityDependencies } from '../kernel/dependencies.js';
import { retryLater } from '../kernel/retry-later.js';
import { sendOwnMessage } from './send-own-message.js';

type Dependencies = Pick<ActivityDependencies, 'db' | 'clock' | 'mail' | 'carrier' | 'publicUrl'>;

export function noticeActivities(dependencies: Dependencies) {
  return {
    /** Sends a notice to an admin, at most once. A lost one does little harm: rules show their state. */
    sendRuleNotice: (ref: NoticeRef) => sendNotice(dependencies, ruleNotices, ref),

    /** Tells a colleague that chats wait, at most once. After a lost notice, the next is due with the next chats. */
    sendHandoffNotice: (ref: NoticeRef) => sendNotice(dependencies, handoffNotices, ref),
  };
}

/** @returns the outcome: what became of it, or why it was not sent */
async function sendNotice<Row extends NoticeRow, Notice extends object>(
  dependencies: Dependencies,
  kind: NoticeKind<Row, Notice>,
  ref: NoticeRef,
): Promise<{ outcome: string }> {
  try {
    const performed = await performOnce({
      claim: (token) => claimNotice(dependencies, kind, ref, token),
      perform: ({ notice }) => sendOwnMessage(dependencies, kind.messageOf(notice, dependencies.publicUrl)),
      record: (outcome, _claim, token) => recordNotice(dependencies, kind, ref, outcome, token),
    });
    if (performed.kind === 'not_claimed') return { outcome: performed.claim.reason };
    const isConfigured = performed.kind !== 'refused' || performed.code !== notConfigured;
    return { outcome: isConfigured ? outcomeNameOf(performed) : kind.unconfigured };
  } catch (error) {
    throw retryLater(error);
  }
}
