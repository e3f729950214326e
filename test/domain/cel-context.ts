import type { CelContext } from '../../domain/lib/cel.js';

/** A context with something of everything; parts can be replaced. */
export function celContext(parts: Partial<CelContext> = {}): CelContext {
  return {
    member: {
      id: 7,
      name: 'Robin Example',
      locale: 'en-US',
      labels: ['newsletter', 'vip'],
      form_data: {
        intake: { age: 18, height: 1.75, ratio: 2, birthday: '2007-05-04', agreed: true, note: null },
      },
      data: { visits: [{ reason: 'checkup' }, { reason: 'vaccination' }] },
      partial_data: [],
    },
    assignment: {
      id: 3,
      status: 'active',
      outcome: null,
      is_test: false,
      created_at: new Date('2030-01-01T00:00:00Z'),
    },
    chat: { id: 5, channel: 'phone-sms', paused: false, message_count: 2 },
    tasks: { visited: ['Welcome'], completed: ['Welcome'], timed_out: [], current: 'Intake' },
    call: { direction: null, status: null, outcome: null, attempts: 0 },
    now: new Date('2030-01-15T12:00:00Z'),
    ...parts,
  };
}
