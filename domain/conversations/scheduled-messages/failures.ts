import { deliveryFailureReasons } from '../../channels/deliveries/failure-reasons.js';

/** Why a scheduled message could not be sent at its time. Clients see these codes, so they contain no personal data. */
export const scheduledMessageFailures = [
  'author_not_allowed',
  'file_unavailable',
  'not_mms_media',
  'unsupported_channel',
  'message_refused',
  ...deliveryFailureReasons,
] as const;

export type ScheduledMessageFailure = (typeof scheduledMessageFailures)[number];

/** The failure for a code of an error; codes that are no failures of their own are `message_refused`. */
export function failureOf(code: string): ScheduledMessageFailure {
  return scheduledMessageFailures.find((failure) => failure === code) ?? 'message_refused';
}
