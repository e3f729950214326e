/** The types of events that receivers can get (specification: Events). */
export const eventTypes = {
  'data_record:created': 'A data record was created.',
  'data_record:updated': 'A data record was changed.',
  'data_record:changed': 'A data record was created or changed: `operation` says which.',
  'member:updated': "A member's information was changed.",
  'member:erased': 'The data of a member was erased.',
  'chat:created': 'A chat was started.',
  'chat:needs_response':
    'A chat waits for a person. Only if `handoffNotices` of the workspace has the channel `event`.',
  'file:created': 'A file was uploaded, or came with a message or from an agent.',
  'file:updated': 'A file was changed, moved or got a new version.',
  'file:deleted': 'A file was deleted.',
  'credit_budget:reached': 'Most, or all, of the credits that the workspace has for the month are used up.',
  'call:started': 'A voice call started.',
  'call:completed': 'A voice call ended.',
  'call:summary': 'The summary of a call is there.',
} as const satisfies Record<string, string>;

export type EventType = keyof typeof eventTypes;
