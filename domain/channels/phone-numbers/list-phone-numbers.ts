import {
  listPhoneNumbers as listPhoneNumberRows,
  type PhoneNumberRow,
  type PhoneNumberSort,
} from '../../../db/channels/phone-numbers.js';
import type { CommandContext } from '../../kernel/context.js';
import type { PageOf, PageRequest } from '../../lib/paging.js';

export async function listPhoneNumbers(
  context: CommandContext,
  query: PageRequest<PhoneNumberSort> & { search?: string },
): Promise<PageOf<PhoneNumberRow>> {
  return context.db.readInWorkspace(context.actor.workspaceId, (tx) => listPhoneNumberRows(tx, query, query));
}
