import { rfc2822 } from '../present.js';
import type { Call } from './call-store.js';

export function presentCall(accountSid: string, call: Call) {
  return {
    account_sid: accountSid,
    answered_by: call.answeredBy,
    api_version: '2010-04-01',
    caller_name: null,
    date_created: rfc2822(call.createdAt),
    date_updated: rfc2822(call.history.at(-1)?.at ?? call.createdAt),
    direction: call.direction,
    duration: call.durationSeconds === null ? null : String(call.durationSeconds),
    end_time: call.endedAt === null ? null : rfc2822(call.endedAt),
    forwarded_from: null,
    from: call.from,
    from_formatted: call.from,
    group_sid: null,
    parent_call_sid: call.parentSid,
    phone_number_sid: `PN${'0'.repeat(32)}`,
    price: call.price,
    price_unit: 'USD',
    queue_time: String(call.queueMs),
    sid: call.sid,
    start_time: call.startedAt === null ? null : rfc2822(call.startedAt),
    status: call.status,
    subresource_uris: {},
    to: call.to,
    to_formatted: call.to,
    trunk_sid: null,
    uri: `/2010-04-01/Accounts/${accountSid}/Calls/${call.sid}.json`,
  };
}
