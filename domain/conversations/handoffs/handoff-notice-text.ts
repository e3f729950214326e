import { quoted } from '../../channels/outreach/quoted.js';
import type { HandoffNotice, WaitingCount } from './handoff-notice.js';

/**
 * Composes the message that chats or held emails wait. It has no names and no words of members or strangers: who reads it may
 * stand next to others. Tenant-controlled are the quoted name of the workspace and the address of its desk.
 */
export function handoffNoticeText(notice: HandoffNotice): { subject: string; text: string; sms: string } {
  const { chats, emails, workspaceName, queueUrl } = notice;
  const kinds = [
    { name: 'chat', ...chats },
    { name: 'email', ...emails },
  ].filter(({ count }) => count > 0);
  const isOne = kinds.length === 1 && kinds[0]?.count === 1;
  const waiting = `${kinds.map(counted).join(' and ')} ${isOne ? 'waits' : 'wait'} for a person`;
  const subject = kinds.map(({ name }) => `${name}s`).join(' and ');
  const desk = queueUrl === null ? [] : ['', `Answer here: ${queueUrl}`];
  const text = [
    `In the workspace that calls itself ${quoted(workspaceName)}, ${waiting}.`,
    ...kinds.map(({ name, since }) => `The first ${name} has waited since ${timeOf(since)}.`),
    ...desk,
    '',
    'You get this email because an admin of the workspace has chosen that you, or people with your role, are told.',
    '',
  ].join('\n');
  const firsts = kinds.map(({ name, since }) => `the first ${name} since ${timeOf(since)}`).join(', ');
  return {
    subject: `${capitalized(subject)} wait for a person`,
    text,
    sms: `${quoted(workspaceName)}: ${waiting}, ${firsts}.${queueUrl === null ? '' : ` ${queueUrl}`}`,
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
