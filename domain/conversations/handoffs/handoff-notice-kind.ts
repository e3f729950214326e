import {
  type HandoffNoticeRow,
  lockHandoffNotice,
  patchHandoffNotice,
} from '../../../db/events/handoff-notices.js';
import type { NoticeKind } from '../../channels/outreach/claim-notice.js';
import { type HandoffNotice, handoffNoticeOf } from './handoff-notice.js';
import { handoffNoticeText } from './handoff-notice-text.js';

/** Mails and texts to colleagues: chats wait for a person. */
export const handoffNotices: NoticeKind<HandoffNoticeRow, HandoffNotice> = {
  lock: lockHandoffNotice,
  patch: patchHandoffNotice,
  noticeOf: handoffNoticeOf,
  messageOf(notice) {
    const { channel, to, from } = notice;
    const { subject, text, sms } = handoffNoticeText(notice);
    return channel === 'email' ? { channel, to, subject, text } : { channel, to, from, body: sms };
  },
  heedsOptOuts: true,
  unconfigured: 'not_configured',
};
