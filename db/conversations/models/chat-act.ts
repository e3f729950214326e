import { column, tenantTable } from '../../lib/table.js';

/** What colleagues do with a chat, as triggers note it. */
export const notedActs = [
  'claimed',
  'released',
  'snoozed',
  'paused',
  'resumed',
  'archived',
  'unarchived',
  'muted',
  'unmuted',
  'agent_enabled',
  'agent_disabled',
  'labelled',
  'unlabelled',
  'moved',
] as const;

export class ChatActModel extends tenantTable('chat_acts', {
  chatId: column<number>(),
  /** The last message before it; 0: there was none. */
  afterMessageId: column<number>(),
  kind: column<(typeof notedActs)[number]>('code'),
  /** Null: the agent or the service. */
  memberId: column<number | null>(),
  reason: column<string | null>('code'),
  until: column<Date | null>(),
  /** A label or a folder. */
  subjectId: column<number | null>(),
  createdAt: column<Date>(),
}) {}
