import { findInbox, type InboxRow, type InboxSort, selectInboxes } from '../../../db/channels/inboxes.js';
import { findWorkflowDefinition } from '../../../db/definitions/workflow-definitions.js';
import { findMember } from '../../../db/people/members.js';
import type { Tx } from '../../../db/tx.js';
import type { CommandContext } from '../../kernel/context.js';
import type { Encryption } from '../../lib/encryption.js';
import { InvalidInput, NotFound } from '../../lib/errors.js';
import type { PageOf, PageRequest } from '../../lib/paging.js';
import { looksLikeAddress } from '../../lib/sender-name.js';
import type { InboxPolicy } from './inbox-address.js';
import type { SeenServer } from './smtp-settings.js';

/** The context of commands that store inboxes. */
export interface InboxesContext extends CommandContext {
  encryption: Encryption;
  policy: InboxPolicy;
}

/** The settings of an inbox that can be changed. */
export interface InboxSettings {
  fromName?: string;
  signature?: string;
  /** The assistant of chats that begin in the inbox. */
  assistantMemberId?: number | null;
  /** The workflow of chats that begin in the inbox. */
  workflowId?: number | null;
  enabled?: boolean;
  authservId?: string | null;
  /** Null: the service's own relay. */
  smtp?: SeenServer | null;
}

export async function listInboxes(
  context: CommandContext,
  query: PageRequest<InboxSort> & { search?: string },
): Promise<PageOf<InboxRow>> {
  return context.db.readInWorkspace(context.actor.workspaceId, (tx) => selectInboxes(tx, query, query));
}

/** @throws NotFound */
export async function getInbox(context: CommandContext, id: number): Promise<InboxRow> {
  return context.db.readInWorkspace(context.actor.workspaceId, (tx) => requireInbox(tx, id));
}

/** @throws NotFound */
export async function requireInbox(tx: Tx, id: number): Promise<InboxRow> {
  const inbox = await findInbox(tx, id);
  if (inbox === undefined) throw new NotFound('Inbox');
  return inbox;
}

/**
 * Checks what an inbox refers to, and returns the columns of the given settings, without those of the mail server.
 * @throws InvalidInput
 */
export async function columnsOfSettings(
  tx: Tx,
  { fromName, signature, assistantMemberId, workflowId, enabled, authservId }: InboxSettings,
): Promise<Partial<InboxRow>> {
  if (fromName !== undefined && looksLikeAddress(fromName)) {
    throw InvalidInput.field('/fromName', 'must not have <, > or @: people would take it for an address');
  }
  if (workflowId !== null && workflowId !== undefined) {
    const definition = await findWorkflowDefinition(tx, workflowId);
    if (definition === undefined || definition.archivedAt !== null) {
      throw InvalidInput.field('/workflowId', 'There is no such workflow.');
    }
  }
  if (assistantMemberId !== null && assistantMemberId !== undefined) {
    const assistant = await findMember(tx, assistantMemberId);
    if (assistant?.kind !== 'assistant') {
      throw InvalidInput.field('/assistantMemberId', 'There is no such assistant.');
    }
  }
  return {
    ...(fromName === undefined ? {} : { fromName: fromName.trim() }),
    ...(signature === undefined ? {} : { signature: signature.trim() }),
    ...(assistantMemberId === undefined ? {} : { assistantMemberId }),
    ...(workflowId === undefined ? {} : { definitionId: workflowId }),
    ...(enabled === undefined ? {} : { enabled }),
    ...(authservId === undefined ? {} : { authservId: authservId?.toLowerCase() ?? null }),
  };
}
