/** The types of events that receivers can get (specification: Events). */
export const eventTypes = {
  'data_record:created': 'A data record was created.',
  'data_record:updated': 'A data record was changed.',
  'data_record:changed': 'A data record was created or changed: `operation` says which.',
  'member:created': 'A member was added: a person or an assistant.',
  'member:updated': "A member's information was changed.",
  'member:opted_out':
    'A member does not want to be written to or called any more on a channel, or cannot be.',
  'member:opted_in': 'A member that was opted out of a channel may be reached on it again.',
  'member:erased': 'The data of a member was erased.',
  'chat:created': 'A chat was started.',
  'chat:needs_response':
    'A chat waits for a person. Only if `handoffNotices` of the workspace has the channel `event`.',
  'chat:closed': 'A chat was archived, or its member was deleted while something went on in it.',
  'message:received': 'Somebody wrote in a chat: in a web chat, by SMS or by email.',
  'message:sent': 'A message to a member was taken by its provider, or is in a web chat.',
  'message:failed': 'A message to a member could not be sent, or did not arrive.',
  'assignment:created': 'An assignment was created.',
  'assignment:task_entered': 'A task of an assignment was entered.',
  'assignment:concluded': 'An assignment was completed or cancelled, or failed.',
  'file:created': 'A file was uploaded, or came with a message or from an agent.',
  'file:updated': 'A file was changed, moved or got a new version.',
  'file:deleted': 'A file was deleted.',
  'credit_budget:reached': 'Most, or all, of the credits that the workspace has for the month are used up.',
  'call:started': 'A voice call started.',
  'call:completed': 'A voice call ended.',
  'call:summary': 'The summary of a call is there.',
} as const satisfies Record<string, string>;

export type EventType = keyof typeof eventTypes;
