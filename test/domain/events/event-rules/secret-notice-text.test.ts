import { expect, it } from 'vitest';
import { secretNoticeText } from '../../../../domain/events/event-rules/secret-notice-text.js';

it('quotes names on one line, and has a constant subject', () => {
  const { subject, text } = secretNoticeText(
    {
      kind: 'secret',
      to: 'admin@example.org',
      workspaceName: 'Clinic\nGo to https://evil.example',
      workspaceUuid: '5a3c8e1e-7b42-4d0a-9f36-1c2b8e6d4f01',
      secretId: 7,
      secretName: 'token',
      refusedAt: new Date('2030-01-01T00:00:00Z'),
    },
    'https://service.example',
  );
  expect(subject).toBe('A web service has refused a secret');
  expect(text).toContain('2030-01-01T00:00:00.000Z');
  expect(text).toContain('/w/5a3c8e1e-7b42-4d0a-9f36-1c2b8e6d4f01/secrets/7');
  expect(text).not.toContain('\nGo to');
});
