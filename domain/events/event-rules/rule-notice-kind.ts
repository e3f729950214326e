import { type EventRuleNoticeRow, lockNotice, patchNotice } from '../../../db/events/event-rule-notices.js';
import type { NoticeKind } from '../../channels/outreach/claim-notice.js';
import { creditNoticeText } from '../credits/credit-notice-text.js';
import { mcpNoticeText } from './mcp-notice-text.js';
import { type Notice, ruleNoticeOf } from './rule-notice.js';
import { ruleNoticeText } from './rule-notice-text.js';
import { secretNoticeText } from './secret-notice-text.js';
import { siteDomainNoticeText } from './site-domain-notice-text.js';

/** Mails to admins: a rule was disabled, credits run out, a secret or a server is refused, the domain of a site lapses. */
export const ruleNotices: NoticeKind<EventRuleNoticeRow, Notice> = {
  lock: lockNotice,
  patch: patchNotice,
  noticeOf: ruleNoticeOf,
  messageOf: (notice, publicUrl) => ({ channel: 'email', to: notice.to, ...textOf(notice, publicUrl) }),
  heedsOptOuts: false,
  unconfigured: 'mail_not_configured',
};

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
