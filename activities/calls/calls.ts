import { setTimeout as delay } from 'node:timers/promises';
import { giveUpCall, nextOfCall, recordAsked } from '../../domain/calls/advance-call.js';
import { acknowledgeWithinMs } from '../../domain/calls/bridges/command-bridge.js';
import type { CallAction } from '../../domain/calls/call-actions.js';
import { callbackAddress, handlerAddress } from '../../domain/calls/call-addresses.js';
import { endGraceMs, maxCallMs, ringSeconds } from '../../domain/calls/call-times.js';
import {
  type CallClaim,
  claimCall,
  findUnknownCall,
  type PhoneCallRef,
  recordDialled,
  recordLookUp,
  recordRefused,
  recordUnknown,
  releaseCall,
} from '../../domain/calls/claim-call.js';
import { hasTakenCommand } from '../../domain/calls/release-call.js';
import type { CarrierCall, CarrierCalls, OutgoingCall } from '../../providers/carrier/carrier-calls.js';
import {
  notConfigured,
  ProviderBusy,
  ProviderOutcomeUnknown,
  ProviderRefused,
  ProviderUnusable,
} from '../../providers/failures.js';
import type { CallStep } from '../../workflows/contracts/steps.js';
import { carrierBaseOf } from '../channels/carrier-addresses.js';
import { performOnce } from '../kernel/at-most-once.js';
import type { ActivityDependencies } from '../kernel/dependencies.js';
import { maxRetryMs } from '../kernel/retry-later.js';

type Dependencies = Pick<
  ActivityDependencies,
  'db' | 'clock' | 'carrier' | 'bridges' | 'publicUrl' | 'callPrices'
>;

const defaultPauseMs = 15_000;

export function callActivities(dependencies: Dependencies) {
  return {
    /** Safe to repeat: what is to be done is decided anew, and a claimed call is not dialled again. */
    async advanceCall(ref: PhoneCallRef): Promise<CallStep> {
      let next = await nextOfCall(dependencies, ref);
      if (next.kind === 'command') {
        await command(dependencies, ref, next);
        next = await nextOfCall(dependencies, ref);
      }
      if (next.kind === 'wait' || next.kind === 'ended') return next;
      try {
        await act(dependencies, ref, next);
      } catch (error) {
        const pause = pauseAfter(error);
        if (pause === undefined) throw error;
        if (!(await giveUpCall(dependencies, ref))) return { kind: 'wait', ...until(dependencies, pause) };
      }
      const then = await nextOfCall(dependencies, ref);
      return then.kind === 'wait' || then.kind === 'ended' ? then : { kind: 'again' };
    },
  };
}

function until({ clock }: Dependencies, { ms, ...pause }: Pause): { until: number; for: Pause['for'] } {
  return { until: clock.now().getTime() + ms, ...pause };
}

interface Pause {
  ms: number;
  for: 'carrier' | 'carrier_unusable';
}

/** The run waits itself, so that a poke reaches it, and the call ends in time also while the carrier is away. */
function pauseAfter(error: unknown): Pause | undefined {
  if (error instanceof ProviderBusy) {
    return { ms: Math.min(error.retryAfterMs ?? defaultPauseMs, maxRetryMs), for: 'carrier' };
  }
  if (error instanceof ProviderUnusable) {
    const ms = Math.min(error.details.retryAfterMs ?? maxRetryMs, maxRetryMs);
    return { ms, for: 'carrier_unusable' };
  }
  // An act beside dialling that the carrier refuses, or whose answer was lost: the call is asked about later.
  const isOther = error instanceof ProviderRefused || error instanceof ProviderOutcomeUnknown;
  return isOther ? { ms: defaultPauseMs, for: 'carrier' } : undefined;
}

function act(dependencies: Dependencies, ref: PhoneCallRef, next: CallAction): Promise<void> {
  switch (next.kind) {
    case 'dial':
      return dial(dependencies, ref);
    case 'command':
      return command(dependencies, ref, next);
    case 'find':
      return find(dependencies, ref);
    case 'ask':
      return learn(dependencies, ref, (calls) => calls.status(next.carrierCallId));
    case 'end':
      return learn(dependencies, ref, (calls) => calls.end(next.carrierCallId));
    case 'redirect':
      return redirect(dependencies, next);
  }
}

const checkEveryMs = 100;

/** Waits itself, because a wait of the run would cost it two Actions for some milliseconds. */
async function command(
  dependencies: Dependencies,
  ref: PhoneCallRef,
  { processId }: Extract<CallAction, { kind: 'command' }>,
): Promise<void> {
  dependencies.bridges.commanded(processId);
  const until = performance.now() + acknowledgeWithinMs;
  while (performance.now() < until && !(await hasTakenCommand(dependencies, ref))) await delay(checkEveryMs);
}

/** Dials the call, at most once. */
async function dial(dependencies: Dependencies, ref: PhoneCallRef): Promise<void> {
  await performOnce<CallClaim, CarrierCall>({
    claim: (token) => claimCall(dependencies, ref, token),
    perform: async (claim) =>
      callsOf(dependencies).create(
        outgoing(await carrierBaseOf(dependencies, claim.place.workspaceUuid), claim),
      ),
    record: async (outcome, _claim, token) => {
      switch (outcome.kind) {
        case 'done':
          return recordDialled(dependencies, ref, token, outcome.result);
        case 'refused':
          return recordRefused(dependencies, ref, token);
        case 'released':
          return releaseCall(dependencies, ref, { token, counts: outcome.counts });
        case 'unknown':
          return recordUnknown(dependencies, ref, token, outcome.code);
      }
    },
  });
}

function outgoing(
  base: string,
  { from, to, place, attempt }: Extract<CallClaim, { kind: 'claimed' }>,
): OutgoingCall {
  return {
    from,
    to,
    url: handlerAddress(base, place),
    statusCallback: `${callbackAddress(base, place, 'status')}?attempt=${attempt}`,
    ringSeconds,
    // The run ends it a little earlier, with a goodbye.
    maxSeconds: (maxCallMs + endGraceMs) / 1_000,
    machineDetection: {
      reportAt: 'greeting_end',
      callback: callbackAddress(base, place, 'machine-detection'),
    },
  };
}

async function find(dependencies: Dependencies, ref: PhoneCallRef): Promise<void> {
  const unknown = await findUnknownCall(dependencies, ref);
  if (unknown === undefined) return;
  await recordLookUp(dependencies, ref, await callsOf(dependencies).find(unknown));
}

async function learn(
  dependencies: Dependencies,
  ref: PhoneCallRef,
  ask: (calls: CarrierCalls) => Promise<CarrierCall | undefined>,
): Promise<void> {
  await recordAsked(dependencies, ref, await ask(callsOf(dependencies)));
}

async function redirect(
  dependencies: Dependencies,
  { carrierCallId, place }: Extract<CallAction, { kind: 'redirect' }>,
): Promise<void> {
  const url = callbackAddress(await carrierBaseOf(dependencies, place.workspaceUuid), place, 'continue');
  await callsOf(dependencies).redirect(carrierCallId, { url });
}

function callsOf({ carrier }: Dependencies): CarrierCalls {
  if (carrier === undefined) throw new ProviderRefused('carrier', notConfigured);
  return carrier.calls;
}
