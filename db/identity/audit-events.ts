import type { PageOf, PageRequest } from '../../domain/lib/paging.js';
import { offsetOf } from '../../domain/lib/paging.js';
import { allOf, ifGiven } from '../lib/conditions.js';
import { queryInIndexOrder } from '../lib/index-order.js';
import type { Sql } from '../sql.js';
import { changedBy, preparedAtEnd } from '../statement.js';
import type { AnyTx, Tx } from '../tx.js';
import { AuditEventModel, type AuditEventRow } from './models/audit-event.js';

/** An event as it is added. */
export type AuditEventValues = Omit<AuditEventRow, 'id' | 'count' | 'actorMemberId'>;

/** Whose log an event is in, of an organization. */
interface OfOrganization {
  organizationId: number;
  /** Null if none of its members acted. */
  actor: { id: number; accountId: number } | null;
}

/** Selects events; all given conditions apply. */
export interface AuditFilter {
  action?: string | undefined;
  actorMemberId?: number | undefined;
  subjectType?: string | undefined;
  subjectId?: number | undefined;
  createdFrom?: Date | undefined;
  createdBefore?: Date | undefined;
}

/** What is sampled is one row for each credential and hour, with a count. */
export interface Sample {
  hour: Date;
  count: number;
}

const given =
  'created_at, action, credential_kind, credential_id, subject_type, subject_id, names, address, user_agent, request_id';
const marks = '?, ?, ?, ?, ?, ?, ?::text[], ?, ?, ?';

function bindingsOf(event: AuditEventValues): unknown[] {
  return [
    event.createdAt,
    event.action,
    event.credentialKind,
    event.credentialId,
    event.subjectType,
    event.subjectId,
    [...event.names],
    event.address,
    event.userAgent,
    event.requestId,
  ];
}

/** Adds an event to the workspace's log, with the end of the transaction. */
export function insertAuditEvent(tx: Tx, event: AuditEventValues & { actorMemberId: number | null }): void {
  preparedAtEnd(
    tx,
    `insert into audit_events (workspace_id, actor_member_id, ${given}) values (?, ?, ${marks})`,
    [tx.workspaceId, event.actorMemberId, ...bindingsOf(event)],
  );
}

/** Adds an event to the account's own log, with the end of the transaction. */
export function insertAccountAuditEvent(tx: AnyTx, event: AuditEventValues & { accountId: number }): void {
  preparedAtEnd(tx, `insert into identity.audit_events (account_id, ${given}) values (?, ${marks})`, [
    event.accountId,
    ...bindingsOf(event),
  ]);
}

/** Adds events about many subjects, each to the log of its account, with the end of the transaction. */
export function insertAccountAuditEvents(
  tx: AnyTx,
  event: Omit<AuditEventValues, 'subjectId'>,
  about: readonly { accountId: number; subjectId: number }[],
): void {
  const ids = [about.map(({ accountId }) => accountId), about.map(({ subjectId }) => subjectId)];
  const { createdAt, action, subjectType, names } = event;
  preparedAtEnd(
    tx,
    `insert into identity.audit_events (created_at, action, subject_type, names, account_id, subject_id)
     select ?::timestamptz, ?::text, ?::text, ?::text[], about.account_id, about.subject_id
     from unnest(?::bigint[], ?::bigint[]) as about (account_id, subject_id)`,
    [createdAt, action, subjectType, [...names], ...ids],
  );
}

/** Adds an event to the log of an organization, with the end of the transaction. */
export function insertOrganizationAuditEvent(tx: AnyTx, event: AuditEventValues & OfOrganization): void {
  preparedAtEnd(
    tx,
    `insert into identity.organization_audit_events (organization_id, actor_account_id, actor_member_id, ${given})
     values (?, ?, ?, ${marks})`,
    [event.organizationId, event.actor?.accountId ?? null, event.actor?.id ?? null, ...bindingsOf(event)],
  );
}

/** As `insertOrganizationAuditEvent`, or counts the event in the row of its names and hour. */
export function countOrganizationAuditEvent(
  tx: AnyTx,
  event: AuditEventValues & Pick<OfOrganization, 'organizationId'>,
  { hour, count }: Sample,
): void {
  preparedAtEnd(
    tx,
    `insert into identity.organization_audit_events as e (organization_id, ${given}, sampled_hour, count)
     values (?, ${marks}, ?, ?)
     on conflict (organization_id, action, names, sampled_hour) where sampled_hour is not null
     do update set count = e.count + excluded.count`,
    [event.organizationId, ...bindingsOf(event), hour, count],
  );
}

/** Adds an event to the workspace's log, or counts it in the row of its credential and hour. */
export function countAuditEvent(
  tx: Tx,
  event: AuditEventValues & { actorMemberId: number | null },
  { hour, count }: Sample,
): void {
  preparedAtEnd(
    tx,
    `insert into audit_events (workspace_id, actor_member_id, ${given}, sampled_hour, count)
     values (?, ?, ${marks}, ?, ?)
     on conflict (workspace_id, action, credential_kind, credential_id, sampled_hour) where sampled_hour is not null
     do update set count = audit_events.count + excluded.count`,
    [tx.workspaceId, event.actorMemberId, ...bindingsOf(event), hour, count],
  );
}

/** As `countAuditEvent`, in the log of the account. */
export function countAccountAuditEvent(
  tx: AnyTx,
  event: AuditEventValues & { accountId: number },
  { hour, count }: Sample,
): void {
  preparedAtEnd(
    tx,
    `insert into identity.audit_events as e (account_id, ${given}, sampled_hour, count)
     values (?, ${marks}, ?, ?)
     on conflict (account_id, action, credential_kind, credential_id, sampled_hour) where sampled_hour is not null
     do update set count = e.count + excluded.count`,
    [event.accountId, ...bindingsOf(event), hour, count],
  );
}

const read = `e.id, e.created_at as "createdAt", e.action, e.credential_kind as "credentialKind",
  e.credential_id as "credentialId", e.subject_type as "subjectType", e.subject_id as "subjectId", e.names, e.address,
  e.user_agent as "userAgent", e.request_id as "requestId", e.count`;

/** The most events that a list counts, and the place where its pages end. */
export const maxAuditEventsCounted = 10_000;

/** The events of a log that a filter selects: the tables and conditions that they are from. */
interface Log extends Sql {
  actor: 'e.actor_member_id' | 'null::bigint';
}

function logOfWorkspace(tx: Tx, filter: AuditFilter): Log {
  return {
    ...filtered('audit_events e where e.workspace_id', tx.workspaceId, filter),
    actor: 'e.actor_member_id',
  };
}

function logOfOrganization(id: number, filter: AuditFilter): Log {
  const from = 'identity.organization_audit_events e where e.organization_id';
  return { ...filtered(from, id, filter), actor: 'e.actor_member_id' };
}

/** Lists a page of the workspace's log. */
export async function selectAuditEvents(
  tx: Tx,
  filter: AuditFilter,
  page: PageRequest<'createdAt'>,
): Promise<PageOf<AuditEventRow> & { totalIsExact: boolean }> {
  return pageOf(tx, logOfWorkspace(tx, filter), page);
}

/** Lists a page of the account's own log. */
export async function selectAccountAuditEvents(
  tx: AnyTx,
  accountId: number,
  filter: AuditFilter,
  page: PageRequest<'createdAt'>,
): Promise<PageOf<AuditEventRow> & { totalIsExact: boolean }> {
  const events = filtered('identity.audit_events e where e.account_id', accountId, filter);
  return pageOf(tx, { ...events, actor: 'null::bigint' }, page);
}

/** Lists a page of an organization's log. */
export async function selectOrganizationAuditEvents(
  tx: AnyTx,
  organizationId: number,
  filter: AuditFilter,
  page: PageRequest<'createdAt'>,
): Promise<PageOf<AuditEventRow> & { totalIsExact: boolean }> {
  return pageOf(tx, logOfOrganization(organizationId, filter), page);
}

/** The place of an event in its log. */
type AuditPlace = Pick<AuditEventRow, 'createdAt' | 'id'>;

/** The next events of the workspace's log after one, oldest first. */
export async function selectAuditEventsAfter(
  tx: Tx,
  filter: AuditFilter,
  after: AuditPlace | undefined,
  limit: number,
): Promise<AuditEventRow[]> {
  return selectAfter(tx, logOfWorkspace(tx, filter), after, limit);
}

/** As `selectAuditEventsAfter`, of an organization's log. */
export async function selectOrganizationAuditEventsAfter(
  tx: AnyTx,
  organizationId: number,
  filter: AuditFilter,
  after: AuditPlace | undefined,
  limit: number,
): Promise<AuditEventRow[]> {
  return selectAfter(tx, logOfOrganization(organizationId, filter), after, limit);
}

async function selectAfter(
  tx: AnyTx,
  log: Log,
  after: AuditPlace | undefined,
  limit: number,
): Promise<AuditEventRow[]> {
  const since = after === undefined ? '' : 'and (e.created_at, e.id) > (?, ?)';
  const place = after === undefined ? [] : [after.createdAt, after.id];
  return queryInIndexOrder<AuditEventRow>(tx as Tx, {
    text: `select ${read}, ${log.actor} as "actorMemberId" from ${log.text} ${since}
      order by e.created_at, e.id limit ?`,
    bindings: [...log.bindings, ...place, limit],
  });
}

async function pageOf(
  tx: AnyTx,
  { text, bindings, actor }: Log,
  page: PageRequest<'createdAt'>,
): Promise<PageOf<AuditEventRow> & { totalIsExact: boolean }> {
  const [counted, items] = await Promise.all([
    queryInIndexOrder<{ matches: number }>(tx as Tx, {
      text: `select count(*) as matches from (select 1 from ${text} limit ?) counted`,
      bindings: [...bindings, maxAuditEventsCounted + 1],
    }),
    queryInIndexOrder<AuditEventRow>(tx as Tx, {
      text: `select ${read}, ${actor} as "actorMemberId" from ${text}
        order by e.created_at ${page.sortOrder}, e.id ${page.sortOrder} limit ? offset ?`,
      bindings: [...bindings, page.pageSize, offsetOf(page)],
    }),
  ]);
  const count = counted[0]?.matches ?? 0;
  const total = Math.min(count, maxAuditEventsCounted);
  return { items, total, totalIsExact: count <= maxAuditEventsCounted };
}

/** @param from ends with the column that says whose log it is */
function filtered(from: string, owner: number, filter: AuditFilter): Sql {
  const { text, bindings } = allOf([
    ifGiven('e.action = ?', filter.action),
    ifGiven('e.actor_member_id = ?', filter.actorMemberId),
    ifGiven('e.subject_type = ?', filter.subjectType),
    ifGiven('e.subject_id = ?', filter.subjectId),
    ifGiven('e.created_at >= ?', filter.createdFrom),
    ifGiven('e.created_at < ?', filter.createdBefore),
  ]);
  return { text: `${from} = ? and ${text}`, bindings: [owner, ...bindings] };
}

/** Deletes events of the workspace from before a time, up to `limit`. @returns how many */
export async function removeOldAuditEvents(tx: Tx, before: Date, limit: number): Promise<number> {
  return AuditEventModel.deleteWhere(
    tx,
    `id in (select id from audit_events where workspace_id = ? and created_at < ? order by created_at, id limit ?)`,
    [tx.workspaceId, before, limit],
  );
}

/** As `removeOldAuditEvents`, of the logs of all accounts, or of all organizations. */
export async function removeOldIdentityAuditEvents(
  tx: AnyTx,
  log: 'audit_events' | 'organization_audit_events',
  before: Date,
  limit: number,
): Promise<number> {
  return changedBy(
    tx,
    `delete from identity.${log} where id in (
       select id from identity.${log} where created_at < ? order by created_at limit ?
     )`,
    [before, limit],
  );
}
