import { describe, expect, it } from 'vitest';
import {
  type CallFacts,
  dialStatusOf,
  endingOf,
  transferStatusAfter,
} from '../../../domain/calls/call-endings.js';

const at = new Date('2031-05-01T12:00:00Z');
const held = { beganAt: at, endedAt: at, endReason: 'caller_left' };
const unanswered: CallFacts = {
  startedAt: null,
  blockedReason: null,
  answeredBy: null,
  transferStatus: null,
  failureDetail: null,
  carrierStatus: null,
  endedBy: null,
  bridges: [],
  wasHeard: false,
};
const answered: CallFacts = {
  ...unanswered,
  startedAt: at,
  carrierStatus: 'completed',
  bridges: [held],
  wasHeard: true,
};
const bridge = (endReason: string | null) => ({ beganAt: at, endedAt: at, endReason });
const unbegun = { beganAt: null, endedAt: null, endReason: null };

/** `status`, `terminationReason`, `carrierStatus`, `failureDetail`. */
const cases: [string, CallFacts, [string, string | null, string | null, string | null]][] = [
  // Before an answer.
  [
    'the safety gate refuses',
    { ...unanswered, blockedReason: 'opted_out' },
    ['canceled', 'blocked_outbound_safety', null, null],
  ],
  [
    'voice is disabled',
    { ...unanswered, endedBy: 'voice_disabled' },
    ['canceled', 'voice_disabled', null, null],
  ],
  [
    'the caller is anonymous',
    { ...unanswered, endedBy: 'anonymous_rejected' },
    ['canceled', 'anonymous_rejected', null, null],
  ],
  [
    'it came outside of business hours',
    { ...unanswered, startedAt: at, endedBy: 'closed', blockedReason: 'closed' },
    ['completed', 'voice_disabled', null, null],
  ],
  ['the chat has a call already', { ...unanswered, endedBy: 'busy' }, ['busy', null, null, null]],
  ['the carrier says busy', { ...unanswered, carrierStatus: 'busy' }, ['busy', null, 'busy', null]],
  ['nobody answers', { ...unanswered, carrierStatus: 'no-answer' }, ['no-answer', null, 'no-answer', null]],
  ['it is cancelled', { ...unanswered, carrierStatus: 'canceled' }, ['canceled', null, 'canceled', null]],
  ['the carrier fails', { ...unanswered, carrierStatus: 'failed' }, ['failed', null, 'failed', 'error']],
  [
    'the carrier refuses to dial',
    { ...unanswered, carrierStatus: 'failed', failureDetail: 'bridge_call_create_failed' },
    ['failed', null, 'failed', 'bridge_call_create_failed'],
  ],
  [
    'the carrier names no call',
    { ...unanswered, failureDetail: 'bridge_call_create_missing_sid' },
    ['failed', null, null, 'bridge_call_create_missing_sid'],
  ],
  [
    'it is not dialled in time',
    { ...unanswered, failureDetail: 'timeout' },
    ['failed', null, null, 'timeout'],
  ],
  ['its outcome stays unknown', { ...unanswered, failureDetail: 'error' }, ['failed', null, null, 'error']],
  // After an answer.
  ['the other side hangs up', answered, ['completed', 'completed', 'completed', null]],
  [
    'the stream still stands as the carrier reports the end',
    { ...answered, bridges: [{ ...held, endedAt: null, endReason: null }] },
    ['completed', 'completed', 'completed', null],
  ],
  [
    'the agent hangs up',
    { ...answered, endedBy: 'agent', bridges: [bridge('agent_ended')] },
    ['completed', 'hangup', 'completed', null],
  ],
  ['a person takes over', { ...answered, endedBy: 'handoff' }, ['completed', 'handoff', 'completed', null]],
  [
    'a transfer succeeds',
    { ...answered, endedBy: 'transfer', transferStatus: 'completed' },
    ['completed', 'forward', 'completed', null],
  ],
  [
    'the target of a transfer is busy',
    { ...answered, endedBy: null, transferStatus: 'busy', bridges: [bridge('transfer'), held] },
    ['completed', 'forward', 'busy', null],
  ],
  [
    'the target of a transfer does not answer',
    { ...answered, transferStatus: 'no-answer' },
    ['completed', 'forward', 'no-answer', null],
  ],
  [
    'the caller hangs up while a transfer is dialled',
    { ...answered, endedBy: 'transfer', bridges: [bridge('transfer')] },
    ['completed', 'forward', 'canceled', null],
  ],
  [
    'the agent hangs up after a busy transfer',
    { ...answered, endedBy: 'agent', transferStatus: 'busy' },
    ['completed', 'forward', 'busy', null],
  ],
  [
    'a machine answers',
    { ...answered, endedBy: 'voicemail', answeredBy: 'machine_end_beep' },
    ['completed', 'voicemail', 'completed', null],
  ],
  [
    'the definition hangs up on what is unknown',
    { ...answered, endedBy: 'amd_unknown', answeredBy: 'unknown' },
    ['completed', 'amd_unknown', 'completed', null],
  ],
  [
    'what answered is unknown and said nothing',
    { ...answered, answeredBy: 'unknown', wasHeard: false },
    ['completed', 'amd_unknown', 'completed', null],
  ],
  [
    'what answered is unknown and spoke',
    { ...answered, answeredBy: 'unknown' },
    ['completed', 'completed', 'completed', null],
  ],
  [
    'a fax answers',
    { ...answered, endedBy: 'fax', failureDetail: 'fax_t30_failed' },
    ['completed', null, 'completed', 'fax_t30_failed'],
  ],
  [
    'no stream ever began',
    { ...answered, bridges: [unbegun] },
    ['completed', null, 'completed', 'never_connected'],
  ],
  [
    'the service gives up waiting for a stream',
    { ...answered, bridges: [unbegun], endedBy: 'no_stream' },
    ['completed', null, 'completed', 'never_connected'],
  ],
  [
    'no stream begins after the first was over',
    { ...answered, bridges: [held, unbegun], endedBy: 'no_stream' },
    ['completed', null, 'completed', 'connection_reset'],
  ],
  [
    'the socket of the stream broke',
    { ...answered, bridges: [bridge('closed')] },
    ['completed', null, 'completed', 'connection_reset'],
  ],
  [
    'the process with the stream died',
    { ...answered, bridges: [bridge('lost')] },
    ['completed', null, 'completed', 'connection_reset'],
  ],
  [
    'the carrier reports an error of the stream',
    { ...answered, bridges: [bridge('stream_error')] },
    ['completed', null, 'completed', 'stream_reset'],
  ],
  [
    'a later stream goes on after one that was lost',
    { ...answered, bridges: [bridge('lost'), held] },
    ['completed', 'completed', 'completed', null],
  ],
  [
    'the model is lost',
    { ...answered, bridges: [bridge('model_lost')], endedBy: 'model' },
    ['completed', null, 'completed', 'error'],
  ],
  [
    'the call is as long as the longest',
    { ...answered, endedBy: 'deadline' },
    ['completed', null, 'completed', 'timeout'],
  ],
  [
    'the carrier never says that it ended',
    { ...answered, carrierStatus: null, failureDetail: 'timeout' },
    ['failed', null, null, 'timeout'],
  ],
  [
    'the carrier fails in mid-call',
    { ...answered, carrierStatus: 'failed' },
    ['failed', null, 'failed', 'error'],
  ],
];

describe('the ending of a call', () => {
  it.each(cases)(
    'is recorded when %s',
    (_, facts, [status, terminationReason, carrierStatus, failureDetail]) => {
      expect(endingOf(facts)).toEqual({ status, terminationReason, carrierStatus, failureDetail });
    },
  );

  it('has each outcome and each failure of the specification', () => {
    const reasons = new Set(cases.map(([, facts]) => endingOf(facts).terminationReason));
    const failures = new Set(cases.map(([, facts]) => endingOf(facts).failureDetail));
    const statuses = new Set(cases.map(([, facts]) => endingOf(facts).carrierStatus));
    const named = ['hangup', 'forward', 'handoff', 'completed', 'voice_disabled', 'anonymous_rejected'];
    expect([...reasons].sort()).toEqual(
      [...named, 'blocked_outbound_safety', 'voicemail', 'amd_unknown', null].sort(),
    );
    const connections = ['connection_reset', 'stream_reset', 'never_connected', 'timeout'];
    const dialling = ['bridge_call_create_failed', 'bridge_call_create_missing_sid'];
    expect([...failures].sort()).toEqual(
      [...connections, ...dialling, 'fax_t30_failed', 'error', null].sort(),
    );
    expect([...statuses].sort()).toEqual(
      ['completed', 'busy', 'no-answer', 'failed', 'canceled', null].sort(),
    );
  });
});

describe('the result of transfers', () => {
  it('stays completed once one has succeeded, else is that of the latest', () => {
    expect(transferStatusAfter(null, 'busy')).toBe('busy');
    expect(transferStatusAfter('busy', 'no-answer')).toBe('no-answer');
    expect(transferStatusAfter('busy', 'completed')).toBe('completed');
    expect(transferStatusAfter('completed', 'busy')).toBe('completed');
  });

  it('is read from what the carrier says, and failed for a word that it does not have today', () => {
    expect(
      ['answered', 'completed', 'busy', 'no-answer', 'canceled', 'exploded'].map((word) =>
        dialStatusOf(word),
      ),
    ).toEqual(['completed', 'completed', 'busy', 'no-answer', 'canceled', 'failed']);
  });
});
