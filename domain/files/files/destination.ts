import { type FolderRow, pinFolder } from '../../../db/files/folders.js';
import type { Tx } from '../../../db/tx.js';
import type { Actor } from '../../kernel/actor.js';
import { readerOf } from '../../kernel/who-reads.js';
import { InvalidInput } from '../../lib/errors.js';
import { mappingUniqueViolation } from '../../lib/unique-violation.js';
import { requireFolderChange } from '../file-access.js';

/**
 * Returns the folder that a file is put into, kept from deletion until the transaction ends. Who may not change a folder
 * may not fill it. @throws InvalidInput, Forbidden
 */
export async function pinDestination(tx: Tx, actor: Actor, folderId: number): Promise<FolderRow> {
  const folder = await pinFolder(tx, folderId, readerOf(actor));
  if (folder === undefined) throw InvalidInput.field('/folderId', 'names no folder of this workspace');
  requireFolderChange(actor, folder);
  return folder;
}

export const reportingTakenExternalId = mappingUniqueViolation({
  constraint: 'files_external_id_key',
  pointer: '/externalId',
  message: 'Another file of the workspace has this external id.',
});
