import type { Static } from 'typebox';
import type { WorkspaceRow } from '../../../../db/identity/models/workspace.js';
import { needsResponseReasons } from '../../../../domain/kernel/call-person.js';
import type { WorkspaceResponse } from './schemas.js';

/** What those see who change it: how callers are proved, what is called, and who may reach what. */
export function presentWorkspace(workspace: WorkspaceRow): Static<typeof WorkspaceResponse> {
  const { handoffNotices } = workspace;
  return {
    ...presentToMember(workspace),
    allowedOrigins: workspace.allowedOrigins,
    requestHosts: workspace.requestHosts,
    callCountries: workspace.callCountries,
    callsPerDay: workspace.callsPerDay,
    workspaceCallsPerDay: workspace.workspaceCallsPerDay,
    smsCountries: workspace.smsCountries,
    smsPerDay: workspace.smsPerDay,
    auditRetentionDays: workspace.auditRetentionDays,
    voiceIdentity: workspace.voiceIdentity,
    handoffNotices: handoffNotices && {
      ...handoffNotices,
      heldEmails: handoffNotices.heldEmails ?? false,
      queueUrl: handoffNotices.queueUrl ?? null,
      reasons: needsResponseReasons.filter((reason) => handoffNotices.reasons.includes(reason)),
    },
  };
}

/** What everybody in the workspace sees. */
export function presentToMember(workspace: WorkspaceRow): Static<typeof WorkspaceResponse> {
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
    createdAt: workspace.createdAt.toISOString(),
    updatedAt: workspace.updatedAt.toISOString(),
  };
}
