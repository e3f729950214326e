import type { Schemas } from '../kit/api.js';

/** The lists of the inbox: those of the queue, chats that colleagues have answered, and all chats. */
export const views = ['waiting', 'mine', 'claimed', 'snoozed', 'answered', 'all'] as const;
export type View = (typeof views)[number];

export const channels = ['web-chat', 'phone-sms', 'phone-voice', 'email'] as const;
export type Channel = Schemas['ChatResponse']['channel'];

/** What the address of the inbox says. */
export interface InboxSearch {
  view?: View;
  channel?: Channel;
  reason?: string;
  search?: string;
}

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;
const oneOf = <T extends string>(allowed: readonly T[], value: unknown): T | undefined =>
  allowed.find((one) => one === value);

/** Reads the query of the address; what it does not know is left out. */
export function readInboxSearch(search: Record<string, unknown>): InboxSearch {
  return {
    view: oneOf(views, search.view),
    channel: oneOf(channels, search.channel),
    reason: text(search.reason),
    search: text(search.search),
  };
}
