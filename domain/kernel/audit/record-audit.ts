import {
  type AuditEventValues,
  countOrganizationAuditEvent,
  insertAccountAuditEvent,
  insertAccountAuditEvents,
  insertAuditEvent,
  insertOrganizationAuditEvent,
} from '../../../db/identity/audit-events.js';
import type { AnyTx, Tx } from '../../../db/tx.js';
import type { Clock } from '../../lib/clock.js';
import { summarizeUserAgent } from '../../lib/summarize-user-agent.js';
import type { AuditAction, AuditSubject } from './audit-actions.js';

/** Where a request came from. */
export interface RequestSource {
  /** As quotas name it: of IPv6 the /56. */
  address: string;
  userAgent: string | undefined;
  requestId?: string | undefined;
}

/** The credential of a caller who acts. */
export interface ActingCredential {
  kind: string;
  /** 0: none was presented, as by a command line of the service. */
  id: number;
  source?: RequestSource | undefined;
}

export interface AuditRecord {
  /** What was acted on. */
  subject?: readonly [AuditSubject, number] | undefined;
  /** Names of fields, scopes or codes; never values that people wrote. */
  names?: readonly string[] | undefined;
}

interface ActingMember {
  clock: Clock;
  actor: { memberId: number; credential: ActingCredential };
}

/**
 * Records an act in the audit log of the workspace, with the end of the transaction: it takes no round trip, and holds if
 * and only if the act does.
 */
export function recordAudit(
  tx: Tx,
  { clock, actor }: ActingMember,
  action: AuditAction,
  note: AuditRecord = {},
): void {
  const event = auditEvent(clock.now(), action, actor.credential, note);
  insertAuditEvent(tx, { ...event, actorMemberId: actor.memberId });
}

/** As `recordAudit`, for what nobody of the workspace has done: the carrier, the service, a visitor. */
export function recordAuditOfNobody(
  tx: Tx,
  { now, source }: { now: Date; source?: RequestSource | undefined },
  action: AuditAction,
  note: AuditRecord & { actorMemberId?: number } = {},
): void {
  const { actorMemberId = null, ...rest } = note;
  insertAuditEvent(tx, { ...auditEvent(now, action, undefined, rest, source), actorMemberId });
}

/** Records an act in the log of an account, which only the account sees, with the end of the transaction. */
export function recordAccountAudit(
  tx: AnyTx,
  by: { now: Date; credential?: ActingCredential | undefined; source?: RequestSource | undefined },
  accountId: number,
  action: AuditAction,
  note: AuditRecord = {},
): void {
  insertAccountAuditEvent(tx, { ...auditEvent(by.now, action, by.credential, note, by.source), accountId });
}

/** As `recordAccountAudit`, for what happened to subjects of many accounts, and was done by none of them. */
export function recordAccountsAudit(
  tx: AnyTx,
  now: Date,
  about: readonly { accountId: number; subjectId: number }[],
  action: AuditAction,
  { type, names }: { type: AuditSubject; names: readonly string[] },
): void {
  const event = auditEvent(now, action, undefined, { names });
  if (about.length > 0) insertAccountAuditEvents(tx, { ...event, subjectType: type }, about);
}

/**
 * Records an act in the log of an organization, which its owners and admins see, with the end of the transaction.
 * @param by.member the member of the organization who acted
 */
export function recordOrganizationAudit(
  tx: AnyTx,
  by: {
    now: Date;
    member?: { id: number; accountId: number };
    credential?: ActingCredential | undefined;
    source?: RequestSource | undefined;
  },
  organizationId: number,
  action: AuditAction,
  note: AuditRecord = {},
): void {
  const event = auditEvent(by.now, action, by.credential, note, by.source);
  insertOrganizationAuditEvent(tx, { ...event, organizationId, actor: by.member ?? null });
}

const hourMs = 3_600_000;

/** Counts what was refused to somebody unknown, in one row for each reason and hour. */
export function countOrganizationRefusal(
  tx: AnyTx,
  { now, source }: { now: Date; source: RequestSource },
  organizationId: number,
  reason: string,
): void {
  const event = auditEvent(now, 'login:refused', undefined, { names: [reason] }, source);
  const hour = new Date(Math.floor(now.getTime() / hourMs) * hourMs);
  countOrganizationAuditEvent(tx, { ...event, organizationId }, { hour, count: 1 });
}

/** A workspace's names are bounded by their lists; this bounds a row all the same. */
const maxNames = 100;

export function auditEvent(
  createdAt: Date,
  action: AuditAction,
  credential: ActingCredential | undefined,
  { subject, names = [] }: AuditRecord,
  source = credential?.source,
): AuditEventValues {
  const presented = credential?.id === 0 ? undefined : credential;
  return {
    createdAt,
    action,
    credentialKind: presented?.kind ?? null,
    credentialId: presented?.id ?? null,
    subjectType: subject?.[0] ?? null,
    subjectId: subject?.[1] ?? null,
    names: names.slice(0, maxNames),
    address: source?.address ?? null,
    userAgent: summarizeUserAgent(source?.userAgent),
    requestId: source?.requestId ?? null,
  };
}

/** The names of fields that are given. */
export function givenNames(input: object): string[] {
  return Object.entries(input)
    .filter(([, value]) => value !== undefined)
    .map(([name]) => name);
}
