import { requestCall } from '../../calls/request-call.js';
import type { CallRefusal } from '../../kernel/outreach.js';
import type { ErrorCode } from '../../lib/error-codes.js';
import { configOf } from './config-of.js';
import { closed, type Tool } from './tool.js';
import { isUnproved, unproved } from './unproved-address.js';
import { writeNote } from './write-message.js';

const asToolError = {
  // In another chat: the tool is not offered while a call of the chat is up.
  call_in_progress: 'call_in_progress',
  missing_phone: 'missing_phone',
  missing_phone_number: 'missing_phone_number',
  voice_disabled: 'missing_phone_number',
  member_deleted: 'member_deleted',
} as const satisfies Record<CallRefusal, ErrorCode<'invalid'>>;

/** Calls the member: the call begins by the run of its own, after the transaction of the tool call. */
export const placeCall: Tool = {
  colleague: 'chats:write',

  offer(situation) {
    if (configOf(situation, 'place_call') === undefined || situation.onCall) return undefined;
    return {
      description:
        'Call the member on the phone, only if they have asked for it or agreed to it. The call begins within a minute; tell them so.',
      parameters: closed({
        purpose: {
          type: 'string',
          minLength: 1,
          maxLength: 500,
          description: 'What the call is for, for the agent that will talk.',
        },
      }),
    };
  },

  async perform(situation, input) {
    const { tx, now, chat } = situation;
    const { phoneNumber } = configOf(situation, 'place_call') ?? {};
    if (await isUnproved(tx, chat, 'phone')) return unproved;
    const from = phoneNumber === undefined ? undefined : { number: phoneNumber };
    const requested = await requestCall(tx, { chat, from, begunBy: 'agent', now });
    if ('refused' in requested) return { ok: false, error: asToolError[requested.refused] };
    await writeNote(situation, `The purpose of the call: ${String(input.purpose)}`);
    return { ok: true, note: 'The call begins within a minute.' };
  },
};
