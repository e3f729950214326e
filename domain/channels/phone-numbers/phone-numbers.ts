import {
  findPhoneNumber,
  type PhoneNumberRow,
  type PhoneNumberSort,
  selectPhoneNumbers,
} from '../../../db/channels/phone-numbers.js';
import { findWorkflowDefinition } from '../../../db/definitions/workflow-definitions.js';
import type { Tx } from '../../../db/tx.js';
import type { CommandContext } from '../../kernel/context.js';
import { InvalidInput, NotFound } from '../../lib/errors.js';
import type { PageOf, PageRequest } from '../../lib/paging.js';

export async function listPhoneNumbers(
  context: CommandContext,
  query: PageRequest<PhoneNumberSort> & { search?: string },
): Promise<PageOf<PhoneNumberRow>> {
  return context.db.readInWorkspace(context.actor.workspaceId, (tx) => selectPhoneNumbers(tx, query, query));
}

/** @throws NotFound */
export async function getPhoneNumber(context: CommandContext, id: number): Promise<PhoneNumberRow> {
  return context.db.readInWorkspace(context.actor.workspaceId, (tx) => requirePhoneNumber(tx, id));
}

/** @throws NotFound */
export async function requirePhoneNumber(tx: Tx, id: number): Promise<PhoneNumberRow> {
  const phoneNumber = await findPhoneNumber(tx, id);
  if (phoneNumber === undefined) throw new NotFound('Phone number');
  return phoneNumber;
}

/** Checks that the workflow for inbound messages and calls exists and is not archived. @throws InvalidInput */
export async function checkInboundDefinition(tx: Tx, definitionId: number | null | undefined): Promise<void> {
  if (definitionId === null || definitionId === undefined) return;
  const definition = await findWorkflowDefinition(tx, definitionId);
  if (definition === undefined || definition.archivedAt !== null) {
    throw InvalidInput.field('/inboundWorkflowId', 'There is no such workflow.');
  }
}
