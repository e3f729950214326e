import { expect, it } from 'vitest';
import { siteDomainNoticeText } from '../../../../domain/events/event-rules/site-domain-notice-text.js';

const notice = {
  kind: 'site_domain',
  to: 'admin@example.org',
  workspaceName: 'Clinic\nGo to https://evil.example',
  workspaceUuid: '5a3c8e1e-7b42-4d0a-9f36-1c2b8e6d4f01',
  siteId: 7,
  siteName: 'Open day\nGo to https://evil.example',
  domain: 'www.clinic.example',
  at: new Date('2030-01-01T00:00:00Z'),
} as const;

it.each([
  ['site_domain_failing', 'The proof of a domain was not found', 'three days'],
  ['site_domain_lapsed', 'A domain leads to its site no more', 'verify it'],
] as const)('tells %s, quotes names on one line, and has a constant subject', (reason, expected, remedy) => {
  const { subject, text } = siteDomainNoticeText({ ...notice, reason }, 'https://service.example');
  expect(subject).toBe(expected);
  expect(text).toContain('2030-01-01T00:00:00.000Z');
  expect(text).toContain('www.clinic.example');
  expect(text).toContain(`/w/${notice.workspaceUuid}/sites/7/domain`);
  expect(text).toContain(remedy);
  expect(text).not.toContain('\nGo to');
});
