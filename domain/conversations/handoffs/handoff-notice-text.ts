import { quoted } from '../../channels/outreach/quoted.js';
import type { HandoffNotice, WaitingCount } from './claim-handoff-notice.js';

/**
 * Composes the message that chats or held emails wait. It has no names and no words of members or strangers: who reads it may
 * stand next to others. The only tenant-controlled text is the quoted name of the workspace.
 *
 * @param publicUrl without `/api/v2`
 */
export function handoffNoticeText(
  notice: HandoffNotice,
  publicUrl: string,
): { subject: string; text: string; sms: string } {
  const { chats, emails, workspaceName, workspaceUuid } = notice;
  const kinds = [
    { name: 'chat', path: 'chats/needs-response', ...chats },
    { name: 'email', path: 'inbound-emails?needsResponse=true', ...emails },
  ].filter(({ count }) => count > 0);
  const isOne = kinds.length === 1 && kinds[0]?.count === 1;
  const waiting = `${kinds.map(counted).join(' and ')} ${isOne ? 'waits' : 'wait'} for a person`;
  const subject = kinds.map(({ name }) => `${name}s`).join(' and ');
  const queues = kinds.map(
    ({ name, path }) => `The queue of ${name}s:  GET ${publicUrl}/api/v2/w/${workspaceUuid}/${path}`,
  );
  const text = [
    `In the workspace that calls itself ${quoted(workspaceName)}, ${waiting}.`,
    ...kinds.map(({ name, since }) => `The first ${name} has waited since ${timeOf(since)}.`),
    '',
    ...queues,
    '',
    'An admin of the workspace has named you or your role in its setting handoffNotices.',
    '',
  ].join('\n');
  return {
    subject: `${capitalized(subject)} wait for a person`,
    text,
    sms: `${quoted(workspaceName)}: ${waiting}, ${kinds.map(({ name, since }) => `the first ${name} since ${timeOf(since)}`).join(', ')}.`,
  };
}

function timeOf(since: Date | null): string {
  return `${since?.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

function counted({ name, count, isMore }: WaitingCount & { name: string }): string {
  return `${isMore ? 'more than ' : ''}${count} ${name}${count === 1 ? '' : 's'}`;
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
