import { quoted } from '../../channels/outreach/quoted.js';
import type { CreditNotice } from '../event-rules/rule-notice.js';

const effects = {
  low: 'When it is used up, agents stop and hand their chats over to people, unless extra usage is enabled.',
  extra: 'Extra usage is enabled: agents go on.',
  stopped:
    'Agents have stopped: their chats wait for people. They go on when the budget is raised, or next month. Nothing is lost.',
};

/** Composes the mail about the credits of a month. The only tenant-controlled text in it is the workspace's name. */
export function creditNoticeText(notice: CreditNotice, publicUrl: string): { subject: string; text: string } {
  const isUsedUp = notice.reason === 'credits_used_up';
  const effect = notice.extraUsageEnabled ? effects.extra : isUsedUp ? effects.stopped : effects.low;
  const text = [
    `A workspace that you administer has used ${isUsedUp ? 'all' : 'most'} of its credits for the month.`,
    '',
    `Workspace:  ${notice.workspaceUuid}, which calls itself ${quoted(notice.workspaceName)}`,
    `Month:      ${notice.month}`,
    `Used:       ${Math.ceil(notice.creditsUsed)} of ${notice.monthlyCredits} credits`,
    '',
    effect,
    '',
    `To change the budget:  PUT ${publicUrl}/api/v2/w/${notice.workspaceUuid}/credit-budget`,
    `To see what was used:  GET ${publicUrl}/api/v2/w/${notice.workspaceUuid}/token-usage`,
    '',
  ].join('\n');
  return {
    subject: isUsedUp ? 'The credits of the month are used up' : 'The credits of the month run out',
    text,
  };
}
