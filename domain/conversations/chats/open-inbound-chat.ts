import { findAssistantForChat } from '../../../db/conversations/assistants.js';
import type { ChatRow, NewChat } from '../../../db/conversations/chats.js';
import { findWorkflowDefinition } from '../../../db/definitions/workflow-definitions.js';
import type { Tx } from '../../../db/tx.js';
import { beginAssignment, prepareAssignment } from '../../assignments/begin-assignment.js';
import { openChat } from '../../chat-state/open-chat.js';
import type { Outreach } from '../../kernel/outreach.js';

/** Where a message came in that begins a chat. */
export interface InboundPlace
  extends Pick<NewChat, 'channel' | 'memberId' | 'phoneNumberId' | 'inboxId' | 'title' | 'siteId'> {
  /** The workflow of chats that begin there; null: none. */
  definitionId: number | null;
  /** The assistant of chats that begin there; absent: that of the workflow, or the default one. */
  assistantMemberId?: number | null;
}

/** Opens a chat for an inbound message, with the place's workflow if it has one that is in use. */
export async function openInboundChat(
  tx: Tx,
  { definitionId, assistantMemberId = null, ...place }: InboundPlace,
  { outreach, now }: { outreach: Outreach; now: Date },
): Promise<ChatRow> {
  const [definition, assistant] = await Promise.all([
    definitionId === null ? undefined : findWorkflowDefinition(tx, definitionId),
    findAssistantForChat(tx, { assistantMemberId, definitionId }),
  ]);
  const revisionId = definition?.archivedAt === null ? definition.activeRevisionId : null;
  const newChat = {
    ...place,
    chatType: revisionId === null ? 'simple' : 'workflow',
    createdByMemberId: null,
    assistantEnabled: assistant !== null,
    assistantMemberId: assistant?.memberId ?? null,
  } as const;
  if (definition === undefined || revisionId === null) return (await openChat(tx, newChat, now)).chat;
  const prepared = await prepareAssignment(tx, { workflowId: definition.id, workflowRevisionId: revisionId });
  const newAssignment = { prepared, chat: { ...newChat, revisionId }, definition };
  return (await beginAssignment(tx, newAssignment, { outreach, now })).machine.chat;
}
