import { findCreditBudget, findCreditMonth } from '../../../db/agent/credit-budgets.js';
import type { Database } from '../../../db/database.js';
import { findMcpServer } from '../../../db/definitions/mcp-servers.js';
import { findSecret } from '../../../db/definitions/secrets.js';
import { type EventRuleNoticeRow, lockNotice, patchNotice } from '../../../db/events/event-rule-notices.js';
import { findEventRule } from '../../../db/events/event-rules.js';
import { findMemberRole } from '../../../db/people/member-roles.js';
import { findMember } from '../../../db/people/members.js';
import { findSite } from '../../../db/sites/sites.js';
import type { Tx } from '../../../db/tx.js';
import { type OutreachRefusal, refusalOf } from '../../channels/outreach/gate.js';
import { type ActOutcome, changesOfOutcome, isClaimedByAnother } from '../../kernel/at-most-once.js';
import type { ServiceContext } from '../../kernel/context.js';
import { reportOccurrence } from '../../kernel/occurrences.js';
import { isAdminRole } from '../../kernel/scopes.js';
import type { CreditNotice } from '../credits/credit-notice-text.js';
import { warnedFrom } from '../credits/tell-of-credits.js';

export interface RuleNotice {
  kind: 'rule';
  to: string;
  ruleId: number;
  ruleName: string;
  workspaceName: string;
  workspaceUuid: string;
  reason: 'gone' | 'failing';
  disabledAt: Date;
}

/** Why a notice is not sent: a refusal of the outreach gate, or the reason determined here. */
export type NoticeNotSent =
  | 'notice_gone'
  | 'claimed_before'
  | 'out_of_date'
  | 'no_admin'
  | 'no_address'
  | OutreachRefusal;

export interface SecretNotice {
  kind: 'secret';
  to: string;
  workspaceName: string;
  workspaceUuid: string;
  secretId: number;
  secretName: string;
  refusedAt: Date;
}

export interface McpNotice {
  kind: 'mcp';
  to: string;
  workspaceName: string;
  workspaceUuid: string;
  serverId: number;
  serverName: string;
  reason: 'mcp_server_refused' | 'mcp_tools_changed';
  at: Date;
}

export interface SiteDomainNotice {
  kind: 'site_domain';
  to: string;
  workspaceName: string;
  workspaceUuid: string;
  siteId: number;
  siteName: string;
  domain: string;
  reason: 'site_domain_failing' | 'site_domain_lapsed';
  at: Date;
}

export type Notice = RuleNotice | CreditNotice | SecretNotice | McpNotice | SiteDomainNotice;

type RuleNoticeClaim = { kind: 'claimed'; notice: Notice } | { kind: 'not_sent'; reason: NoticeNotSent };

/** Older notices are not sent, because the admins will have noticed by then. */
const freshForMs = 3 * 24 * 3_600_000;

/** Claims the only attempt to send a notice, or records why the notice does not apply any more. */
export async function claimRuleNotice(
  { db, clock }: ServiceContext,
  { workspaceId, noticeId }: { workspaceId: number; noticeId: number },
  token: string,
): Promise<RuleNoticeClaim> {
  return db.inWorkspace(workspaceId, async (tx): Promise<RuleNoticeClaim> => {
    const now = clock.now();
    const row = await lockNotice(tx, noticeId);
    if (row === undefined) return { kind: 'not_sent', reason: 'notice_gone' };
    if (isClaimedByAnother(row, token)) return { kind: 'not_sent', reason: 'claimed_before' };
    const found = await noticeOf(db, tx, row, now);
    const failureReason = typeof found === 'string' ? found : null;
    await patchNotice(tx, row.id, { claimedAt: now, claimToken: token, failureReason });
    if (failureReason !== null && failureReason !== 'out_of_date') {
      reportOccurrence({ kind: 'notice_not_sent', workspaceId, reason: failureReason });
    }
    return typeof found === 'string'
      ? { kind: 'not_sent', reason: found }
      : { kind: 'claimed', notice: found };
  });
}

async function noticeOf(
  db: Database,
  tx: Tx,
  row: EventRuleNoticeRow,
  now: Date,
): Promise<Notice | NoticeNotSent> {
  const subject = await subjectOf(db, tx, row);
  if (subject === undefined || now.getTime() - row.createdAt.getTime() >= freshForMs) return 'out_of_date';
  const [admin, workspace] = await Promise.all([
    addressOfAdmin(tx, row.memberId, now),
    db.identity.workspaces.findById(row.workspaceId, tx),
  ]);
  if (typeof admin === 'string') return admin;
  return {
    to: admin.email,
    workspaceName: workspace?.name ?? '',
    workspaceUuid: workspace?.uuid ?? '',
    ...subject,
  };
}

function subjectOf(db: Database, tx: Tx, row: EventRuleNoticeRow): Promise<Subject<Notice> | undefined> {
  if (row.secretId !== null) return secretOf(tx, row, row.secretId);
  if (row.mcpServerId !== null) return serverOf(tx, row, row.mcpServerId);
  if (row.siteId !== null) return domainOf(db, tx, row, row.siteId);
  return row.eventRuleId === null ? creditsOf(tx, row) : ruleOf(tx, row, row.eventRuleId);
}

type Subject<Of extends Notice> = Of extends Notice
  ? Omit<Of, 'to' | 'workspaceName' | 'workspaceUuid'>
  : never;

/** The rule of a notice, if it has remained disabled since the notice was written. */
async function ruleOf(
  tx: Tx,
  { reason, createdAt }: EventRuleNoticeRow,
  eventRuleId: number,
): Promise<Subject<RuleNotice> | undefined> {
  const rule = await findEventRule(tx, eventRuleId);
  if (rule?.disabledAt?.getTime() !== createdAt.getTime()) return undefined;
  if (reason !== 'gone' && reason !== 'failing') return undefined;
  return { kind: 'rule', ruleId: rule.id, ruleName: rule.name, reason, disabledAt: createdAt };
}

/** The month of a notice, if its budget is still as good as used up. */
async function creditsOf(
  tx: Tx,
  { reason, creditMonthId }: EventRuleNoticeRow,
): Promise<Subject<CreditNotice> | undefined> {
  const [month, { monthlyCredits, extraUsageEnabled }] = await Promise.all([
    findCreditMonth(tx, creditMonthId ?? 0),
    findCreditBudget(tx),
  ]);
  if (month === undefined || monthlyCredits === null) return undefined;
  if (reason !== 'credits_low' && reason !== 'credits_used_up') return undefined;
  const isAsTold = month.credits >= monthlyCredits * (reason === 'credits_used_up' ? 1 : warnedFrom);
  if (!isAsTold) return undefined;
  const { month: name, credits: creditsUsed } = month;
  return { kind: 'credits', reason, month: name, monthlyCredits, creditsUsed, extraUsageEnabled };
}

/** The secret of a notice, if it has been refused since the notice was written. */
async function secretOf(
  tx: Tx,
  { createdAt }: EventRuleNoticeRow,
  secretId: number,
): Promise<Subject<SecretNotice> | undefined> {
  const secret = await findSecret(tx, secretId);
  if (secret?.refusedAt?.getTime() !== createdAt.getTime()) return undefined;
  return { kind: 'secret', secretId, secretName: secret.name, refusedAt: createdAt };
}

/** The remote MCP server of a notice, if nothing about it has changed since the notice was written. */
async function serverOf(
  tx: Tx,
  { createdAt, reason }: EventRuleNoticeRow,
  serverId: number,
): Promise<Subject<McpNotice> | undefined> {
  if (reason !== 'mcp_server_refused' && reason !== 'mcp_tools_changed') return undefined;
  const server = await findMcpServer(tx, serverId);
  const at = reason === 'mcp_server_refused' ? server?.refusedAt : server?.toolsChangedAt;
  if (server === undefined || at?.getTime() !== createdAt.getTime()) return undefined;
  return { kind: 'mcp', serverId, serverName: server.name, reason, at: createdAt };
}

/** The domain of a notice, if it is as it was when the notice was written. */
async function domainOf(
  { identity }: Database,
  tx: Tx,
  { createdAt, reason }: EventRuleNoticeRow,
  siteId: number,
): Promise<Subject<SiteDomainNotice> | undefined> {
  if (reason !== 'site_domain_failing' && reason !== 'site_domain_lapsed') return undefined;
  const site = await findSite(tx, siteId);
  const claim = (await identity.siteDomains.ofSites(tx.workspaceId, [siteId], tx)).get(siteId);
  const at = reason === 'site_domain_failing' ? claim?.failingSince : claim?.lapsedAt;
  if (site === undefined || claim === undefined || at?.getTime() !== createdAt.getTime()) return undefined;
  return { kind: 'site_domain', siteId, siteName: site.name, domain: claim.domain, reason, at: createdAt };
}

async function addressOfAdmin(
  tx: Tx,
  memberId: number,
  now: Date,
): Promise<{ email: string } | NoticeNotSent> {
  const member = await findMember(tx, memberId);
  if (member === undefined) return 'member_deleted';
  const role = await findMemberRole(tx, member.memberRoleId);
  if (role === undefined || !isAdminRole(role)) return 'no_admin';
  const { email } = member;
  if (email === null) return 'no_address';
  const asked = { purpose: 'notice', channel: 'email', memberId, recipient: email, now } as const;
  return (await refusalOf(tx, asked)) ?? { email };
}

/** Records the result of a claimed attempt to send a notice, unless another token has claimed it since. */
export async function recordRuleNotice(
  { db, clock }: ServiceContext,
  { workspaceId, noticeId }: { workspaceId: number; noticeId: number },
  outcome: ActOutcome<unknown>,
  token: string,
): Promise<void> {
  await db.inWorkspace(workspaceId, async (tx) => {
    const notice = await lockNotice(tx, noticeId);
    if (notice?.claimToken !== token) return;
    await patchNotice(tx, noticeId, changesOfOutcome(outcome, clock.now()));
  });
}
