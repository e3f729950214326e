import { describe, expect, it } from 'vitest';
import { auditEvent } from '../../../../domain/kernel/audit/record-audit.js';

const now = new Date('2026-06-01T10:00:00Z');

describe('an audit event', () => {
  it('names the credential that was presented', () => {
    const event = auditEvent(now, 'api_key:created', { kind: 'session', id: 7 }, {});
    expect(event).toMatchObject({ credentialKind: 'session', credentialId: 7 });
  });

  it('names none for a command line of the service', () => {
    const event = auditEvent(now, 'api_key:created', { kind: 'session', id: 0 }, {});
    expect(event).toMatchObject({ credentialKind: null, credentialId: null });
  });
});
