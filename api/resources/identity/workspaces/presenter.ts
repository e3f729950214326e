import type { WorkspaceRow } from '../../../../db/identity/models/workspace.js';
import { needsResponseReasons } from '../../../../domain/kernel/alert-colleague.js';
import type { AnswerOf } from '../../../http/schemas.js';
import type { WorkspaceResponse } from './schemas.js';

type Workspace = AnswerOf<typeof WorkspaceResponse>;

/** What those see who change it: how callers are proved, what is called, and who may reach what. */
export function presentWorkspace(workspace: WorkspaceRow): Workspace {
  const { handoffNotices } = workspace;
  return {
    ...workspace,
    handoffNotices: handoffNotices && {
      ...handoffNotices,
      heldEmails: handoffNotices.heldEmails ?? false,
      queueUrl: handoffNotices.queueUrl ?? null,
      reasons: needsResponseReasons.filter((reason) => handoffNotices.reasons.includes(reason)),
    },
  };
}

/** What everybody in the workspace sees. */
export function presentToMember(workspace: WorkspaceRow): Workspace {
  return {
    id: workspace.id,
    uuid: workspace.uuid,
    name: workspace.name,
    slug: workspace.slug,
    defaultRegion: workspace.defaultRegion,
    locale: workspace.locale,
    timezone: workspace.timezone,
    chatRetentionDays: workspace.chatRetentionDays,
    fileRetentionDays: workspace.fileRetentionDays,
    recordCalls: workspace.recordCalls,
    recordingRetentionDays: workspace.recordingRetentionDays,
    recordingNotice: workspace.recordingNotice,
    recordingConsent: workspace.recordingConsent,
    postalAddress: workspace.postalAddress,
    quietHours: workspace.quietHours,
    businessHours: workspace.businessHours,
    createdAt: workspace.createdAt,
    updatedAt: workspace.updatedAt,
  };
}
