import { quoted } from '../../channels/outreach/quoted.js';
import type { SiteDomainNotice } from './rule-notice.js';

/** Composes the mail about the domain of a site. The only tenant-controlled texts in it are the quoted names and the domain. */
export function siteDomainNoticeText(
  notice: SiteDomainNotice,
  publicUrl: string,
): { subject: string; text: string } {
  const place = `${publicUrl}/api/v2/w/${notice.workspaceUuid}/sites/${notice.siteId}/domain`;
  const { subject, what, so } = texts[notice.reason];
  const text = [
    `The proof of a domain of a workspace that you administer ${what}, at ${notice.at.toISOString()}.`,
    '',
    `Domain:     ${notice.domain}`,
    `Site:       ${notice.siteId}, which the workspace calls ${quoted(notice.siteName)}`,
    `Workspace:  ${notice.workspaceUuid}, which calls itself ${quoted(notice.workspaceName)}`,
    '',
    ...so,
    '',
    `To see the record that is needed:  GET ${place}`,
    `To have it looked up at once:      POST ${place}/verify`,
    '',
  ].join('\n');
  return { subject, text };
}

const texts = {
  site_domain_failing: {
    subject: 'The proof of a domain was not found',
    what: 'was not found in the DNS',
    so: [
      'The domain still leads to the site. It is looked up again every six hours, and leads there no more after three days',
      'without its TXT record, or after fourteen days in which no DNS server answers.',
    ],
  },
  site_domain_lapsed: {
    subject: 'A domain leads to its site no more',
    what: 'is gone from the DNS for good',
    so: [
      'Visitors reach the site at its address at the service. Put the record back and verify it to map the domain again.',
    ],
  },
} as const;
