import type { ServiceContext } from '../../kernel/context.js';
import { recordStatusCallback, type StatusCallback } from './record-delivery-news.js';

const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Records a status callback, identified by the uuids in its URL. Unknown uuids are ignored. */
export async function receiveStatusCallback(
  context: ServiceContext,
  { workspaceUuid, ...callback }: Omit<StatusCallback, 'workspaceId'> & { workspaceUuid: string },
): Promise<void> {
  if (!uuidForm.test(workspaceUuid) || !uuidForm.test(callback.messageUuid)) return;
  const workspace = await context.db.identity.workspaces.findByUuid(workspaceUuid);
  if (workspace === undefined) return;
  await recordStatusCallback(context, { ...callback, workspaceId: workspace.id });
}
