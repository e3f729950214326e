import type { PageOf, PageRequest } from '../../domain/lib/paging.js';
import { offsetOf } from '../../domain/lib/paging.js';
import { queryInIndexOrder } from '../lib/index-order.js';
import { joined, raw, type Sql, sql } from '../sql.js';
import { preparedAtEnd, statement } from '../statement.js';
import type { AnyTx, Tx } from '../tx.js';

/** What an audit log says of an act. No content: ids, codes and names of fields. */
export interface AuditEventValues {
  createdAt: Date;
  action: string;
  credentialKind: string | null;
  credentialId: number | null;
  subjectType: string | null;
  subjectId: number | null;
  /** Names of what was changed, or what was asked for. */
  names: readonly string[];
  address: string | null;
  userAgent: string | null;
  requestId: string | null;
}

export interface AuditEventRow extends AuditEventValues {
  id: number;
  /** How often it happened; more than once only for what is sampled by the hour. */
  count: number;
  /** In the log of a workspace or an organization: its member. Null if none of its members acted. */
  actorMemberId: number | null;
}

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

const read = raw(`e.id, e.created_at as "createdAt", e.action, e.credential_kind as "credentialKind",
  e.credential_id as "credentialId", e.subject_type as "subjectType", e.subject_id as "subjectId", e.names, e.address,
  e.user_agent as "userAgent", e.request_id as "requestId", e.count`);

/** The most events that a list counts, and the place where its pages end. */
export const mostAuditEventsCounted = 10_000;

/** Lists a page of the workspace's log. */
export async function selectAuditEvents(
  tx: Tx,
  filter: AuditFilter,
  page: PageRequest<'createdAt'>,
): Promise<PageOf<AuditEventRow> & { totalIsExact: boolean }> {
  const source = sql`from audit_events e where e.workspace_id = ${tx.workspaceId} ${conditionsOf(filter)}`;
  return pageOf(tx, sql`${read}, e.actor_member_id as "actorMemberId" ${source}`, source, page);
}

/** Lists a page of the account's own log. */
export async function selectAccountAuditEvents(
  tx: AnyTx,
  accountId: number,
  filter: AuditFilter,
  page: PageRequest<'createdAt'>,
): Promise<PageOf<AuditEventRow> & { totalIsExact: boolean }> {
  const source = sql`from identity.audit_events e where e.account_id = ${accountId} ${conditionsOf(filter)}`;
  return pageOf(tx, sql`${read}, null::bigint as "actorMemberId" ${source}`, source, page);
}

/** Lists a page of an organization's log. */
export async function selectOrganizationAuditEvents(
  tx: AnyTx,
  organizationId: number,
  filter: AuditFilter,
  page: PageRequest<'createdAt'>,
): Promise<PageOf<AuditEventRow> & { totalIsExact: boolean }> {
  const ofOrganization = sql`e.organization_id = ${organizationId} ${conditionsOf(filter)}`;
  const source = sql`from identity.organization_audit_events e where ${ofOrganization}`;
  return pageOf(tx, sql`${read}, e.actor_member_id as "actorMemberId" ${source}`, source, page);
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
  const log = sql`audit_events e where e.workspace_id = ${tx.workspaceId}`;
  return selectAfter(tx, log, filter, after, limit);
}

/** As `selectAuditEventsAfter`, of an organization's log. */
export async function selectOrganizationAuditEventsAfter(
  tx: AnyTx,
  organizationId: number,
  filter: AuditFilter,
  after: AuditPlace | undefined,
  limit: number,
): Promise<AuditEventRow[]> {
  const log = sql`identity.organization_audit_events e where e.organization_id = ${organizationId}`;
  return selectAfter(tx, log, filter, after, limit);
}

async function selectAfter(
  tx: AnyTx,
  log: Sql,
  filter: AuditFilter,
  after: AuditPlace | undefined,
  limit: number,
): Promise<AuditEventRow[]> {
  const since =
    after === undefined ? raw('') : sql`and (e.created_at, e.id) > (${after.createdAt}, ${after.id})`;
  return queryInIndexOrder<AuditEventRow>(
    tx as Tx,
    sql`select ${read}, e.actor_member_id as "actorMemberId" from ${log} ${conditionsOf(filter)} ${since}
      order by e.created_at, e.id limit ${limit}`,
  );
}

async function pageOf(
  tx: AnyTx,
  selected: Sql,
  source: Sql,
  page: PageRequest<'createdAt'>,
): Promise<PageOf<AuditEventRow> & { totalIsExact: boolean }> {
  const order = raw(`order by e.created_at ${page.sortOrder}, e.id ${page.sortOrder}`);
  const [counted, items] = await Promise.all([
    queryInIndexOrder<{ matches: number }>(
      tx as Tx,
      sql`select count(*) as matches from (select 1 ${source} limit ${mostAuditEventsCounted + 1}) counted`,
    ),
    queryInIndexOrder<AuditEventRow>(
      tx as Tx,
      sql`select ${selected} ${order} limit ${page.pageSize} offset ${offsetOf(page)}`,
    ),
  ]);
  const count = counted[0]?.matches ?? 0;
  const total = Math.min(count, mostAuditEventsCounted);
  return { items, total, totalIsExact: count <= mostAuditEventsCounted };
}

function conditionsOf(filter: AuditFilter): Sql {
  const { action, actorMemberId, subjectType, subjectId, createdFrom, createdBefore } = filter;
  const conditions: Sql[] = [raw('true')];
  if (action !== undefined) conditions.push(sql`e.action = ${action}`);
  if (actorMemberId !== undefined) conditions.push(sql`e.actor_member_id = ${actorMemberId}`);
  if (subjectType !== undefined) conditions.push(sql`e.subject_type = ${subjectType}`);
  if (subjectId !== undefined) conditions.push(sql`e.subject_id = ${subjectId}`);
  if (createdFrom !== undefined) conditions.push(sql`e.created_at >= ${createdFrom}`);
  if (createdBefore !== undefined) conditions.push(sql`e.created_at < ${createdBefore}`);
  return sql`and ${joined(conditions, ' and ')}`;
}

/** Deletes events of the workspace from before a time, up to `limit`. @returns how many */
export async function removeOldAuditEvents(tx: Tx, before: Date, limit: number): Promise<number> {
  const removed = await statement(
    tx,
    `delete from audit_events where id in (
       select id from audit_events where workspace_id = ? and created_at < ? order by created_at, id limit ?
     ) returning id`,
    [tx.workspaceId, before, limit],
  );
  return removed.length;
}

/** As `removeOldAuditEvents`, of the logs of all accounts, or of all organizations. */
export async function removeOldIdentityAuditEvents(
  tx: AnyTx,
  log: 'audit_events' | 'organization_audit_events',
  before: Date,
  limit: number,
): Promise<number> {
  const removed = await statement(
    tx,
    `delete from identity.${log} where id in (
       select id from identity.${log} where created_at < ? order by created_at limit ?
     ) returning id`,
    [before, limit],
  );
  return removed.length;
}
