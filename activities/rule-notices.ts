import { ApplicationFailure } from '@temporalio/activity';
import {
  claimRuleNotice,
  type NoticeNotSent,
  type RuleNotice,
} from '../domain/event-rules/claim-rule-notice.js';
import { type RuleNoticeSending, recordRuleNotice } from '../domain/event-rules/record-rule-notice.js';
import { ruleNoticeText } from '../domain/event-rules/rule-notice-text.js';
import { MailBusy, MailOutcomeUnknown, MailRefused } from '../providers/mail/mail.js';
import type { ActivityDependencies } from './dependencies.js';

/** What became of a notice, as the run tells it. */
export type RuleNoticeOutcome = 'sent' | 'failed' | 'unknown_outcome' | 'mail_not_configured' | NoticeNotSent;

type Dependencies = Pick<ActivityDependencies, 'db' | 'clock' | 'mail' | 'publicUrl'>;

/** Notices of disabled rules on their way out. */
export function ruleNoticeActivities(dependencies: Dependencies) {
  return {
    /** Claims the attempt, sends, records. A repeat that finds it claimed sends nothing: rules show how they are. */
    async sendRuleNotice(input: {
      workspaceId: number;
      noticeId: number;
    }): Promise<{ outcome: RuleNoticeOutcome }> {
      const claim = await claimRuleNotice(dependencies, input);
      if (claim.kind === 'not_sent') return { outcome: claim.reason };
      const { outcome, sending } = await send(dependencies, claim.notice);
      await recordRuleNotice(dependencies, input, sending);
      if (outcome !== 'busy') return { outcome };
      throw ApplicationFailure.create({ message: 'the mail server is busy', type: 'mail_busy' });
    },
  };
}

interface Sent {
  outcome: RuleNoticeOutcome | 'busy';
  sending: RuleNoticeSending;
}

async function send({ mail, publicUrl }: Dependencies, notice: RuleNotice): Promise<Sent> {
  if (mail === undefined) return failed('mail_not_configured', 'mail_not_configured');
  try {
    await mail.send({ to: notice.to, ...ruleNoticeText(notice, publicUrl) });
    return { outcome: 'sent', sending: { kind: 'sent' } };
  } catch (error) {
    if (error instanceof MailBusy) return { outcome: 'busy', sending: { kind: 'released' } };
    if (error instanceof MailOutcomeUnknown) return failed('unknown_outcome', 'unknown_outcome');
    if (error instanceof MailRefused) return failed('failed', `mail_${error.code}`);
    throw error;
  }
}

function failed(outcome: RuleNoticeOutcome, reason: string): Sent {
  return { outcome, sending: { kind: 'failed', reason } };
}
