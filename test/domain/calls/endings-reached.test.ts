import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { CarrierCallStatus } from '../../../db/calls/phone-calls.js';
import type { FailureDetail, TerminationReason } from '../../../domain/calls/call-endings.js';

/** A test on the real Temporal server: its file, and words of it that name the value. */
type Reached = readonly [file: keyof typeof files, words: string];

const files = {
  endings: '../../workflows/calls/endings.test.ts',
  run: '../../workflows/calls/run-voice-call.test.ts',
} as const;

// The compiler refuses a list that lacks a value.
const reasons: Record<TerminationReason, Reached> = {
  hangup: ['endings', 'hangup: the agent ends it'],
  forward: ['endings', 'forward: a transfer comes about'],
  handoff: ['endings', 'handoff: a person takes the chat over'],
  completed: ['endings', 'completed: the other side hangs up'],
  voice_disabled: ['endings', 'voice_disabled: the number has no calls'],
  anonymous_rejected: ['endings', 'anonymous_rejected: the number is withheld'],
  blocked_outbound_safety: ['run', `reason: 'blocked_outbound_safety'`],
  voicemail: ['endings', 'voicemail: a machine answers'],
  amd_unknown: ['endings', 'amd_unknown: it cannot be told who answered, and nobody is heard'],
};

const statuses: Record<CarrierCallStatus, Reached> = {
  completed: ['endings', `carrierStatus: 'completed'`],
  busy: ['run', `['busy', 'no-answer', 'failed']`],
  'no-answer': ['run', `['busy', 'no-answer', 'failed']`],
  failed: ['run', `['busy', 'no-answer', 'failed']`],
  canceled: ['endings', 'forward, canceled: the caller leaves while the desk rings'],
};

const details: Record<Exclude<FailureDetail, `fax_${string}`> | 'fax_t30_failed', Reached> = {
  connection_reset: ['endings', 'connection_reset: the stream breaks, and the other side leaves'],
  stream_reset: ['endings', 'stream_reset: the carrier reports an error of the stream'],
  never_connected: ['endings', 'never_connected: it is hung up before its sound comes'],
  timeout: ['run', `failure: 'timeout'`],
  bridge_call_create_failed: ['run', `failure: 'bridge_call_create_failed'`],
  bridge_call_create_missing_sid: ['run', `['bridge_call_create_missing_sid', { withoutSid: true }]`],
  error: ['endings', 'error: the model takes no more requests'],
  fax_t30_failed: ['endings', 'fax_t30_failed: a fax answers'],
};

const all = [reasons, statuses, details].flatMap((list) => Object.entries<Reached>(list));

describe('each value of how a call ends', () => {
  it.each(all)('%s is reached by a test on the real Temporal server', (value, [file, words]) => {
    expect(words).toContain(value);
    expect(readFileSync(new URL(files[file], import.meta.url), 'utf8')).toContain(words);
  });
});
