import { creditNoticeText } from '../../domain/events/credits/credit-notice-text.js';
import {
  claimRuleNotice,
  type Notice,
  type NoticeNotSent,
  recordRuleNotice,
} from '../../domain/events/event-rules/claim-rule-notice.js';
import { mcpNoticeText } from '../../domain/events/event-rules/mcp-notice-text.js';
import { ruleNoticeText } from '../../domain/events/event-rules/rule-notice-text.js';
import { secretNoticeText } from '../../domain/events/event-rules/secret-notice-text.js';
import { siteDomainNoticeText } from '../../domain/events/event-rules/site-domain-notice-text.js';
import { notConfigured, ProviderRefused } from '../../providers/failures.js';
import { outcomeNameOf, performOnce } from '../kernel/at-most-once.js';
import type { ActivityDependencies } from '../kernel/dependencies.js';
import { retryLater } from '../kernel/retry-later.js';

export type RuleNoticeOutcome = 'sent' | 'failed' | 'unknown_outcome' | 'mail_not_configured' | NoticeNotSent;

type Dependencies = Pick<ActivityDependencies, 'db' | 'clock' | 'mail' | 'publicUrl'>;

export function ruleNoticeActivities(dependencies: Dependencies) {
  const { mail, publicUrl } = dependencies;
  return {
    /** Sends a notice, at most once. A lost one does little harm: rules show their state. */
    async sendRuleNotice(input: {
      workspaceId: number;
      noticeId: number;
    }): Promise<{ outcome: RuleNoticeOutcome }> {
      try {
        const performed = await performOnce({
          claim: (token) => claimRuleNotice(dependencies, input, token),
          perform: async ({ notice }) => {
            if (mail === undefined) throw new ProviderRefused('mail', notConfigured);
            await mail.send({ to: notice.to, ...textOf(notice, publicUrl) });
          },
          record: (outcome, _claim, token) => recordRuleNotice(dependencies, input, outcome, token),
        });
        if (performed.kind === 'not_claimed') return { outcome: performed.claim.reason };
        const isConfigured = performed.kind !== 'refused' || performed.code !== notConfigured;
        return { outcome: isConfigured ? outcomeNameOf(performed) : 'mail_not_configured' };
      } catch (error) {
        throw retryLater(error);
      }
    },
  };
}

function textOf(notice: Notice, publicUrl: string): { subject: string; text: string } {
  switch (notice.kind) {
    case 'rule':
      return ruleNoticeText(notice, publicUrl);
    case 'credits':
      return creditNoticeText(notice, publicUrl);
    case 'secret':
      return secretNoticeText(notice, publicUrl);
    case 'site_domain':
      return siteDomainNoticeText(notice, publicUrl);
    case 'mcp':
      return mcpNoticeText(notice, publicUrl);
  }
}
