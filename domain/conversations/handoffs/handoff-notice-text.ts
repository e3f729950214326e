import { quoted } from '../../channels/outreach/quoted.js';
import type { HandoffNotice } from './claim-handoff-notice.js';

/**
 * Composes the message that chats wait. It has no names and no words of members: who reads it may stand next to others. The only
 * tenant-controlled text is the quoted name of the workspace.
 *
 * @param publicUrl without `/api/v2`
 */
export function handoffNoticeText(
  notice: HandoffNotice,
  publicUrl: string,
): { subject: string; text: string; sms: string } {
  const { count, isMore, since, workspaceName, workspaceUuid } = notice;
  const chats = `${isMore ? `more than ${count}` : count} ${count === 1 ? 'chat waits' : 'chats wait'}`;
  const when = `${since.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  const text = [
    `In the workspace that calls itself ${quoted(workspaceName)}, ${chats} for a person.`,
    `The first one has waited since ${when}.`,
    '',
    `The queue:  GET ${publicUrl}/api/v2/w/${workspaceUuid}/chats/needs-response`,
    '',
    'An admin of the workspace has named you or your role in its setting handoffNotices.',
    '',
  ].join('\n');
  return {
    subject: 'Chats wait for a person',
    text,
    sms: `${quoted(workspaceName)}: ${chats} for a person, the first since ${when}.`,
  };
}
