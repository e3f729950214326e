import { demo } from '../../../api/http/demo.js';
import type { WorkspaceRow } from '../../../db/identity/models/workspace.js';
import { listWorkflowDefinitions } from '../../../domain/definitions/workflow-definitions/workflow-definitions.js';
import type { FileStorage } from '../../../domain/files/objects/file-storage.js';
import { buildChats } from './example-chats.js';
import { buildExampleFiles, dropExampleUploads, storeExampleUploads } from './example-files.js';
import { buildPeople, buildRecords } from './example-people.js';
import { dropExampleRecording, keepExampleRecording, storeExampleRecording } from './example-recording.js';
import { buildExampleRules, type RulesContext } from './example-rules.js';
import { buildExampleSite } from './example-site.js';
import {
  buildMcpServers,
  buildNumbers,
  buildSecrets,
  buildWorkflows,
  reminderName,
} from './example-workflows.js';
import { OtherId } from './expect-id.js';
import {
  buildExampleEmail,
  buildInboundEmail,
  buildInboxes,
  dropExampleMail,
  storeExampleMail,
} from './inboxes.js';
import { buildOrganization } from './organization.js';

/**
 * Creates the objects that the examples of the API reference name, in the order that gives them the ids of
 * `api/http/demo.ts`, all or none. `none`: the database is not new and has other objects with these ids.
 */
export async function findOrBuildExamples(
  context: RulesContext,
  workspace: WorkspaceRow,
  { receiverUrl, issuer, mcpServerUrl }: { receiverUrl: string; issuer: string; mcpServerUrl: string },
  storage: FileStorage,
): Promise<'new' | 'kept' | 'none'> {
  if (workspace.uuid !== demo.workspaceUuid) return 'none';
  const page = { page: 1, pageSize: 100, sortBy: 'name', sortOrder: 'asc', archived: false } as const;
  const { items } = await listWorkflowDefinitions(context, { ...page, search: reminderName });
  if (items.length > 0) return 'kept';
  const uploads = await storeExampleUploads(context, storage);
  const mail = await storeExampleMail(context, storage);
  const sound = await storeExampleRecording(context, storage);
  try {
    await context.db.atomically(workspace.id, async (within) => {
      const inside = { ...context, db: within };
      await buildOrganization(inside, issuer);
      await buildPeople(inside);
      await buildRecords(inside);
      await buildNumbers(inside);
      await buildInboxes(inside);
      await buildExampleEmail(inside);
      await buildInboundEmail(inside, mail);
      await buildWorkflows(inside);
      await buildSecrets(inside);
      await buildMcpServers(inside, mcpServerUrl);
      await buildChats(inside);
      await keepExampleRecording(inside, sound);
      await buildExampleRules(inside, receiverUrl);
      await buildExampleFiles(inside, uploads);
      await buildExampleSite(inside);
    });
    return 'new';
  } catch (error) {
    await dropExampleUploads(context, uploads);
    await dropExampleMail(context, mail);
    await dropExampleRecording(context, sound);
    if (error instanceof OtherId) return 'none';
    throw error;
  }
}
