import { afterEach, beforeEach } from 'vitest';
import type { OutgoingCall } from '../../../../../providers/carrier/carrier-calls.js';
import { TwilioCarrier } from '../../../../../providers/carrier/twilio-carrier.js';
import { type Call, isFinal } from '../../../../../tools/simulators/carrier/calls/call-store.js';
import type { Plan, Step } from '../../../../../tools/simulators/carrier/calls/plan.js';
import type { KnobValues } from '../../../../../tools/simulators/carrier/knobs.js';
import {
  DEFAULT_ACCOUNT_SID as accountSid,
  DEFAULT_AUTH_TOKEN as authToken,
  startCarrierSimulator,
} from '../../../../../tools/simulators/carrier/start-carrier-simulator.js';
import { waitFor } from '../../../../support/lib/wait-for.js';
import { simulatedCalls } from '../../../../support/simulators/simulated-calls.js';
import { ask } from '../../simulator-client.js';
import { startVoiceService, type VoiceService } from './voice-service.js';

export const number = '+15550100001';
export const handset = '+15550100002';
export const colleague = '+15550100003';

/** A simulator and a service for each test of a file; calls go twenty times as fast as real ones. */
export function useCalls() {
  const stage = {
    url: '',
    carrier: new TwilioCarrier({ accountSid, authToken }),
    service: {} as VoiceService,
    ask: <T = unknown>(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown) =>
      ask<T>(stage.url, method, path, body),
    plan: (plan: Plan = {}, at = handset) => simulatedCalls(stage.url).plan(at, { speed: 20, ...plan }),
    turn: (knobs: Partial<KnobValues> & { handset?: string; seed?: number }) =>
      stage.ask('POST', '/simulator/knobs', knobs),
    dial: (more: Partial<OutgoingCall> = {}) =>
      stage.carrier.calls.create({
        from: number,
        to: handset,
        url: `${stage.service.url}/handler`,
        statusCallback: `${stage.service.url}/status`,
        ...more,
      }),
    calls: async () => (await stage.ask<Call[]>('GET', '/simulator/calls')).body,
    call: async (place = 0) => (await stage.calls())[place] as Call,
    run: async (steps: Step[]) => simulatedCalls(stage.url).act((await stage.call()).sid, ...steps),
    ended: (place = 0): Promise<Call> =>
      waitFor(`call ${place} has ended`, async () => {
        const call = (await stage.calls())[place];
        return call !== undefined && isFinal(call.status) && call;
      }),
    /** Statuses that were reported, in the order in which they came. */
    reported: () => stage.service.to('/status').map(({ fields }) => fields.CallStatus),
    isSigned: (path: string) => {
      const [request] = stage.service.to(path);
      const { signature, fields = {}, path: asked = '' } = request ?? {};
      return stage.carrier.verifySignature({
        signature,
        url: `${stage.service.url}${asked}`,
        params: fields,
      });
    },
  };
  let close: () => Promise<void>;
  beforeEach(async () => {
    const [simulator, service] = await Promise.all([startCarrierSimulator({ port: 0 }), startVoiceService()]);
    close = simulator.close;
    stage.url = simulator.url;
    stage.service = service;
    stage.carrier = new TwilioCarrier({ accountSid, authToken, apiBaseUrl: simulator.url });
    await stage.turn({ paceMs: 0 });
    await stage.plan();
  });
  afterEach(async () => {
    stage.service.close();
    await close();
  });
  return stage;
}
