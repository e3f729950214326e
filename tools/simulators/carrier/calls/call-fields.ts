import type { Call, CallStatus } from './call-store.js';

/** The fields that every request about a call has. `status` may be older than that of the call. */
export function callFields(
  accountSid: string,
  call: Call,
  status: string = call.status,
): Record<string, string> {
  return {
    AccountSid: accountSid,
    ApiVersion: '2010-04-01',
    CallSid: call.sid,
    CallStatus: status,
    Called: call.to,
    Caller: call.from,
    Direction: call.direction,
    From: call.from,
    To: call.to,
    ...(call.parentSid === null ? {} : { ParentCallSid: call.parentSid }),
  };
}

/** The number at the other end of the line, whose knobs and plans hold. */
export function handsetOf({ direction, from, to }: Pick<Call, 'direction' | 'from' | 'to'>): string {
  return direction === 'inbound' ? from : to;
}

export const sipCodes: Record<Exclude<CallStatus, 'queued' | 'ringing' | 'in-progress'>, number> = {
  completed: 200,
  busy: 486,
  'no-answer': 487,
  canceled: 487,
  failed: 404,
};
