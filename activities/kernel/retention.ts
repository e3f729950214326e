import type { EventPlace } from '../../db/events/forget-events.js';
import { forgetOldRecordings } from '../../domain/calls/recordings/forget-old-recordings.js';
import {
  forgetOldEmails,
  forgetOldLinks,
  oldEmailsBefore,
} from '../../domain/conversations/emails/forget-old-emails.js';
import { forgetOldChats } from '../../domain/conversations/retention/forget-old-chats.js';
import {
  type Forgotten,
  oldBefore,
  oldEventData,
} from '../../domain/events/webhook-deliveries/forget-old-events.js';
import { forgetOldFiles } from '../../domain/files/files/forget-old-files.js';
import { forgetOldAudit, forgetOldIdentityAudit } from '../../domain/identity/audit/forget-old-audit.js';
import { forgetOldKeys } from '../../domain/kernel/idempotency.js';
import type { Batch } from '../../domain/kernel/retention.js';
import { forgetOldImports } from '../../domain/people/imports/forget-old-imports.js';
import type { Sliced } from '../../workflows/contracts/steps.js';
import type { ActivityDependencies } from './dependencies.js';
import { atMost, type SettledList, settleInWorkspaces } from './settle-in-workspaces.js';
import { beginSlice } from './slice.js';

/** Rows that were deleted, and `failed`: lists of workspaces that could not be this time; the log says why. */
export type Retention = Forgotten & Record<'failed', number> & Sliced;
export type ForgottenData = Record<'chats' | 'files' | 'emails' | 'recordings' | 'audit' | 'failed', number> &
  Sliced;
export type ForgottenKeys = Record<'keys' | 'imports' | 'failed', number> & Sliced;

/** The place of what belongs to no workspace. */
const nowhere = 0;

/** Of each kind in one workspace in one pass. */
const maxBatches = 3_000;

/** The lists of `workspaces_due` that `forgetOldEvents` deletes from, in this order. */
const ofEvents: [list: string, kind: keyof Forgotten][] = [
  ['old_webhook_deliveries', 'deliveries'],
  ['old_events', 'events'],
  ['old_event_rule_secrets', 'secrets'],
  ['old_event_rule_notices', 'notices'],
  ['old_handoff_notices', 'notices'],
  ['old_event_rules', 'rules'],
  ['unused_webhook_endpoints', 'endpoints'],
  ['unused_webhook_hosts', 'hosts'],
];

type Settings = 'auditRetentionDays' | 'recordingRetentionDays' | 'chatRetentionDays' | 'fileRetentionDays';

export function retentionActivities(
  dependencies: Pick<ActivityDependencies, 'db' | 'clock' | 'logger'>,
  { sliceMs }: { sliceMs?: number } = {},
) {
  const { db, clock } = dependencies;
  const { walks, workspaces } = db.identity;
  const failure = 'not forgotten';

  /** Deletes old rows of a list batch by batch, and counts them. */
  function old<Kind extends string>(
    found: Record<Kind, number>,
    kind: Kind,
    name: string,
    forget: (workspaceId: number, after: unknown) => Promise<Batch<unknown>>,
  ): SettledList {
    return {
      name,
      async settle(workspaceId, after) {
        const { deleted, next } = await forget(workspaceId, after);
        found[kind] += deleted;
        return next;
      },
    };
  }

  /** What a workspace keeps for some days, or for ever. */
  function kept<Place>(
    setting: Settings,
    forget: (
      context: typeof dependencies,
      workspaceId: number,
      days: number,
      after?: Place,
    ) => Promise<Batch<unknown>>,
  ) {
    return async (workspaceId: number, after: unknown): Promise<Batch<unknown>> => {
      const days = (await workspaces.findById(workspaceId))?.[setting] ?? null;
      if (days === null) return { deleted: 0, next: undefined };
      return forget(dependencies, workspaceId, days, after as Place | undefined);
    };
  }

  return {
    /** Deletes the idempotency keys of all workspaces and accounts, and the imports that have ended, after 24 hours. */
    async forgetOldKeys(): Promise<ForgottenKeys> {
      const found = { keys: 0, imports: 0, failed: 0 };
      const ofAccounts = 'account_idempotency_keys';
      const due = await walks.workspacesWith(['idempotency_keys', 'ended_imports']);
      return settleInWorkspaces(dependencies, found, {
        name: 'forget_old_keys',
        places: new Map([[nowhere, new Set([ofAccounts])], ...due]),
        lists: [
          old(found, 'keys', ofAccounts, () => forgetOldKeys(dependencies, null)),
          old(found, 'keys', 'idempotency_keys', (id) => forgetOldKeys(dependencies, id)),
          old(found, 'imports', 'ended_imports', (id) => forgetOldImports(dependencies, id)),
        ],
        failure,
        isTimeUp: beginSlice(sliceMs),
      });
    },

    /** Deletes the events of all workspaces, with their deliveries, after 30 days. */
    async forgetOldEvents(): Promise<Retention> {
      const nothing = { deliveries: 0, events: 0, secrets: 0, notices: 0, rules: 0, endpoints: 0, hosts: 0 };
      const found = { ...nothing, failed: 0 };
      return settleInWorkspaces(dependencies, found, {
        name: 'forget_old_events',
        places: await walks.workspacesDue(
          Object.fromEntries(ofEvents.map(([name, kind]) => [name, oldBefore(kind, clock.now())])),
        ),
        lists: ofEvents.map(([name, kind]) =>
          old(found, kind, name, (workspaceId, after) =>
            oldEventData[kind](dependencies, workspaceId, after as EventPlace | undefined),
          ),
        ),
        failure,
        isTimeUp: beginSlice(sliceMs),
      });
    },

    /**
     * Deletes logs and received mails after some months, and the recordings, chats and files of workspaces that say how long
     * they keep them.
     */
    async forgetOldData(): Promise<ForgottenData> {
      const found = { chats: 0, files: 0, emails: 0, recordings: 0, audit: 0, failed: 0 };
      const now = clock.now();
      const { emails, links } = oldEmailsBefore(now);
      const due = await walks.workspacesDue({
        old_audit_events: now,
        old_emails: emails,
        old_unsubscribe_links: links,
        old_recordings: now,
        old_chats: now,
        old_files: now,
      });
      const logs = ['audit_events', 'organization_audit_events'] as const;
      const lists = [
        ...logs.map((log) => old(found, 'audit', log, () => forgetOldIdentityAudit(dependencies, log))),
        old(found, 'audit', 'old_audit_events', kept('auditRetentionDays', forgetOldAudit)),
        old(found, 'emails', 'old_emails', (id) => forgetOldEmails(dependencies, id)),
        old(found, 'emails', 'old_unsubscribe_links', (id) => forgetOldLinks(dependencies, id)),
        old(found, 'recordings', 'old_recordings', kept('recordingRetentionDays', forgetOldRecordings)),
        old(found, 'chats', 'old_chats', kept('chatRetentionDays', forgetOldChats)),
        old(found, 'files', 'old_files', kept('fileRetentionDays', forgetOldFiles)),
      ];
      return settleInWorkspaces(dependencies, found, {
        name: 'forget_old_data',
        places: new Map([[nowhere, new Set<string>(logs)], ...due]),
        lists: lists.map((list) => atMost(maxBatches, list)),
        failure,
        isTimeUp: beginSlice(sliceMs),
      });
    },
  };
}
