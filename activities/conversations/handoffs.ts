import {
  claimHandoffNotice,
  type HandoffNotice,
  type HandoffNoticeNotSent,
  recordHandoffNotice,
} from '../../domain/conversations/handoffs/claim-handoff-notice.js';
import { handoffNoticeText } from '../../domain/conversations/handoffs/handoff-notice-text.js';
import { type Told, tellOfWaitingChats } from '../../domain/conversations/handoffs/tell-of-waiting-chats.js';
import { notConfigured, ProviderRefused } from '../../providers/failures.js';
import type { Sliced } from '../../workflows/contracts/steps.js';
import { outcomeNameOf, performOnce } from '../kernel/at-most-once.js';
import type { ActivityDependencies } from '../kernel/dependencies.js';
import { retryLater } from '../kernel/retry-later.js';
import { settleInWorkspaces } from '../kernel/settle-in-workspaces.js';

export type HandoffNoticeOutcome =
  | 'sent'
  | 'failed'
  | 'unknown_outcome'
  | 'not_configured'
  | HandoffNoticeNotSent;

type Dependencies = Pick<ActivityDependencies, 'db' | 'clock' | 'logger' | 'mail' | 'carrier'>;

export function handoffActivities(dependencies: Dependencies) {
  const { db, mail, carrier } = dependencies;

  async function send(notice: HandoffNotice): Promise<void> {
    const { to, from, channel } = notice;
    const { subject, text, sms } = handoffNoticeText(notice);
    if (channel === 'email') {
      if (mail === undefined) throw new ProviderRefused('mail', notConfigured);
      return mail.send({ to, subject, text });
    }
    if (carrier === undefined || from === null) throw new ProviderRefused('carrier', notConfigured);
    await carrier.sendSms({ from, to, body: sms });
  }

  return {
    /** Looks at the chats that wait in the workspaces that tell people of them and have news, and writes notices and events. */
    async tellOfWaitingChats(): Promise<Told & { failed: number } & Sliced> {
      const found = { notices: 0, events: 0, failed: 0 };
      const list = 'waiting_chats';
      return settleInWorkspaces(dependencies, found, {
        name: 'tell_of_waiting_chats',
        places: await db.identity.walks.workspacesDue({ [list]: dependencies.clock.now() }),
        lists: [
          {
            name: list,
            async settle(workspaceId) {
              const told = await tellOfWaitingChats(dependencies, workspaceId);
              found.notices += told.notices;
              found.events += told.events;
            },
          },
        ],
        failure: 'not told of waiting chats',
      });
    },

    /** Sends a notice, at most once. After a lost one, the next is due with the next chats. */
    async sendHandoffNotice(input: {
      workspaceId: number;
      noticeId: number;
    }): Promise<{ outcome: HandoffNoticeOutcome }> {
      try {
        const performed = await performOnce({
          claim: (token) => claimHandoffNotice(dependencies, input, token),
          perform: ({ notice }) => send(notice),
          record: (outcome, _claim, token) => recordHandoffNotice(dependencies, input, outcome, token),
        });
        if (performed.kind === 'not_claimed') return { outcome: performed.claim.reason };
        const isConfigured = performed.kind !== 'refused' || performed.code !== notConfigured;
        return { outcome: isConfigured ? outcomeNameOf(performed) : 'not_configured' };
      } catch (error) {
        throw retryLater(error);
      }
    },
  };
}
