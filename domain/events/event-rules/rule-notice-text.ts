import { quoted } from '../../channels/outreach/quoted.js';
import type { RuleNotice } from './rule-notice.js';

const why: Record<RuleNotice['reason'], string> = {
  gone: 'Its receiver answered that it is gone for good (status 410).',
  failing: 'Nothing that was sent to its receiver was taken for five days.',
};

/**
 * Composes the mail that notifies an admin of a disabled rule. The only tenant-controlled text in it is the quoted
 * names of the rule and the workspace; the subject is constant.
 *
 * @param publicUrl without `/api/v2`
 */
export function ruleNoticeText(notice: RuleNotice, publicUrl: string): { subject: string; text: string } {
  const rule = `${publicUrl}/api/v2/w/${notice.workspaceUuid}/event-rules/${notice.ruleId}`;
  const text = [
    `An event rule of a workspace that you administer was disabled at ${notice.disabledAt.toISOString()}.`,
    '',
    `Rule:       ${notice.ruleId}, which the workspace calls ${quoted(notice.ruleName)}`,
    `Workspace:  ${notice.workspaceUuid}, which calls itself ${quoted(notice.workspaceName)}`,
    '',
    why[notice.reason],
    'No more events are sent to it. Events that happen while it is disabled are stored for 30 days.',
    '',
    'If nobody needs the receiver any more, delete the rule. Otherwise mend the receiver or give the rule another URL,',
    'and then:',
    '',
    `1. Send a sample:                POST ${rule}/test`,
    `2. Enable the rule:              POST ${rule}/enable`,
    `3. Deliver again what failed:    POST ${rule}/redeliveries`,
    `   and what it missed:           POST ${rule}/deliver-missed`,
    '',
  ].join('\n');
  return { subject: 'An event rule was disabled', text };
}
