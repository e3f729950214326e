import { cancellationSignal, heartbeat } from '@temporalio/activity';
import { forgetOldRecordings } from '../../domain/calls/recordings/forget-old-recordings.js';
import { forgetOldEmails } from '../../domain/conversations/emails/forget-old-emails.js';
import { forgetOldChats } from '../../domain/conversations/retention/forget-old-chats.js';
import { type Forgotten, forgetOldEvents } from '../../domain/events/webhook-deliveries/forget-old-events.js';
import { forgetOldFiles } from '../../domain/files/files/forget-old-files.js';
import { forgetOldAudit, forgetOldIdentityAudit } from '../../domain/identity/audit/forget-old-audit.js';
import { forgetOldKeys } from '../../domain/kernel/idempotency.js';
import type { RetentionSlice } from '../../domain/kernel/retention-slice.js';
import { forgetOldImports } from '../../domain/people/imports/forget-old-imports.js';
import type { ActivityDependencies } from './dependencies.js';
import { eachWorkspace } from './each-workspace.js';

export interface Retention extends Forgotten {
  /** Workspaces with data that could not be deleted this time; the log says why. */
  failed: number;
}

export interface ForgottenData {
  chats: number;
  files: number;
  emails: number;
  recordings: number;
  /** Workspaces with data that could not be deleted this time; the log says why. */
  failed: number;
}

/** For the mails, the recordings, the chats, and the files, of one workspace in one pass, so that the others have their turn; the next pass continues. */
const sliceMs = 5 * 60_000;

/** The lists of `workspaces_with` that `forgetOldEvents` deletes from. */
const ofEvents = [
  'events',
  'webhook_deliveries',
  'event_rule_secrets',
  'event_rule_notices',
  'handoff_notices',
  'event_rules',
  'webhook_endpoints',
  'webhook_hosts',
];

export function retentionActivities(dependencies: Pick<ActivityDependencies, 'db' | 'clock' | 'logger'>) {
  const having = async (lists: readonly string[]) => [
    ...(await dependencies.db.identity.walks.workspacesWith(lists)).keys(),
  ];

  return {
    /** Deletes the idempotency keys of all workspaces and accounts, and the imports that have ended, after 24 hours. */
    async forgetOldKeys(): Promise<{ failed: number }> {
      const found = { failed: 0 };
      const workspaceIds = await having(['idempotency_keys', 'ended_imports']);
      const forget = async (workspaceId: number) => {
        await forgetOldKeys(dependencies, workspaceId, () => heartbeat(workspaceId));
        await forgetOldImports(dependencies, workspaceId, () => heartbeat(workspaceId));
      };
      await eachWorkspace(dependencies, found, 'not forgotten', forget, workspaceIds);
      await forgetOldKeys(dependencies, null, () => heartbeat());
      return found;
    },

    /** Deletes the events of all workspaces, with their deliveries, after 30 days. */
    async forgetOldEvents(): Promise<Retention> {
      const nothing = { deliveries: 0, events: 0, secrets: 0, notices: 0, rules: 0, endpoints: 0, hosts: 0 };
      const found = { ...nothing, failed: 0 };
      const kinds = Object.keys(nothing) as (keyof Forgotten)[];
      const workspaceIds = await having(ofEvents);
      const forget = async (workspaceId: number) => {
        const forgotten = await forgetOldEvents(dependencies, workspaceId, () => heartbeat(workspaceId));
        for (const kind of kinds) found[kind] += forgotten[kind];
      };
      await eachWorkspace(dependencies, found, 'not forgotten', forget, workspaceIds);
      return found;
    },

    /** Deletes received mails after some months, and the recordings, chats and files of workspaces that say how long they keep them. */
    async forgetOldData(): Promise<ForgottenData> {
      const { db } = dependencies;
      const found = { chats: 0, files: 0, emails: 0, recordings: 0, failed: 0 };
      await eachWorkspace(dependencies, found, 'not forgotten', async (workspaceId) => {
        const workspace = await db.identity.workspaces.findById(workspaceId);
        if (workspace === undefined) return;
        const { auditRetentionDays } = workspace;
        await forgetOldAudit(dependencies, workspaceId, auditRetentionDays, sliceOf(workspaceId));
        found.emails += await forgetOldEmails(dependencies, workspaceId, sliceOf(workspaceId));
        const { chatRetentionDays, fileRetentionDays, recordingRetentionDays } = workspace;
        if (recordingRetentionDays !== null) {
          const slice = sliceOf(workspaceId);
          found.recordings += await forgetOldRecordings(
            dependencies,
            workspaceId,
            recordingRetentionDays,
            slice,
          );
        }
        if (chatRetentionDays !== null) {
          const slice = sliceOf(workspaceId);
          found.chats += await forgetOldChats(dependencies, workspaceId, chatRetentionDays, slice);
        }
        if (fileRetentionDays !== null) {
          const slice = sliceOf(workspaceId);
          found.files += await forgetOldFiles(dependencies, workspaceId, fileRetentionDays, slice);
        }
      });
      await forgetOldIdentityAudit(dependencies, sliceOf(0));
      return found;
    },
  };
}

function sliceOf(workspaceId: number): RetentionSlice {
  const endsAt = performance.now() + sliceMs;
  return {
    isOver: () => performance.now() >= endsAt || cancellationSignal().aborted,
    onBatch: () => heartbeat(workspaceId),
  };
}
