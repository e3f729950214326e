import { quoted } from '../../channels/outreach/quoted.js';
import type { SecretNotice } from './rule-notice.js';

/** Composes the mail about a refused secret. The only tenant-controlled text in it is the quoted names. */
export function secretNoticeText(notice: SecretNotice, publicUrl: string): { subject: string; text: string } {
  const text = [
    `A web service has refused a secret of a workspace that you administer, at ${notice.refusedAt.toISOString()}.`,
    '',
    `Secret:     ${notice.secretId}, which the workspace calls ${quoted(notice.secretName)}`,
    `Workspace:  ${notice.workspaceUuid}, which calls itself ${quoted(notice.workspaceName)}`,
    '',
    'Requests of agents that carry it fail (status 401), and the agents say so. You get no further mail about it until',
    'it has been taken again, or has a new value.',
    '',
    `To give it a new value:  PUT ${publicUrl}/api/v2/w/${notice.workspaceUuid}/secrets/${notice.secretId}`,
    '',
  ].join('\n');
  return { subject: 'A web service has refused a secret', text };
}
