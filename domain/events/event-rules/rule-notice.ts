import { findCreditBudget, findCreditMonth } from '../../../db/agent/credit-budgets.js';
import type { Database } from '../../../db/database.js';
import { findMcpServer } from '../../../db/definitions/mcp-servers.js';
import { findSecret } from '../../../db/definitions/secrets.js';
import type { EventRuleNoticeRow } from '../../../db/events/event-rule-notices.js';
import { findEventRule } from '../../../db/events/event-rules.js';
import { findSite } from '../../../db/sites/sites.js';
import type { Tx } from '../../../db/tx.js';
import {
  addressOfRecipient,
  type NoticeNotSent,
  type NoticeRecipient,
} from '../../channels/outreach/claim-notice.js';
import { isAdminRole } from '../../kernel/scopes.js';
import { warnedFrom } from '../credits/notify-of-credits.js';

/** What all notices to an admin say. */
interface ToAdmin {
  to: string;
  workspaceName: string;
  workspaceUuid: string;
}

export interface RuleNotice extends ToAdmin {
  kind: 'rule';
  ruleId: number;
  ruleName: string;
  reason: 'gone' | 'failing';
  disabledAt: Date;
}

export interface CreditNotice extends ToAdmin {
  kind: 'credits';
  reason: 'credits_low' | 'credits_used_up';
  /** `YYYY-MM`. */
  month: string;
  monthlyCredits: number;
  creditsUsed: number;
  extraUsageEnabled: boolean;
}

export interface SecretNotice extends ToAdmin {
  kind: 'secret';
  secretId: number;
  secretName: string;
  refusedAt: Date;
}

export interface McpNotice extends ToAdmin {
  kind: 'mcp';
  serverId: number;
  serverName: string;
  reason: 'mcp_server_refused' | 'mcp_tools_changed';
  at: Date;
}

export interface SiteDomainNotice extends ToAdmin {
  kind: 'site_domain';
  siteId: number;
  siteName: string;
  domain: string;
  reason: 'site_domain_failing' | 'site_domain_lapsed';
  at: Date;
}

export type Notice = RuleNotice | CreditNotice | SecretNotice | McpNotice | SiteDomainNotice;

/** Older notices are not sent, because the admins will have noticed by then. */
const freshForMs = 3 * 24 * 3_600_000;

/** What a notice to an admin says by now, or why it is not sent any more. */
export async function ruleNoticeOf(
  db: Database,
  tx: Tx,
  row: EventRuleNoticeRow,
  now: Date,
): Promise<Notice | NoticeNotSent> {
  const subject = await subjectOf(db, tx, row);
  if (subject === undefined || now.getTime() - row.createdAt.getTime() >= freshForMs) return 'out_of_date';
  const recipient: NoticeRecipient = {
    memberId: row.memberId,
    purpose: 'notice',
    channel: 'email',
    mayReceive: isAdminRole,
    otherwise: 'no_admin',
  };
  const [admin, workspace] = await Promise.all([
    addressOfRecipient(tx, recipient, now),
    db.identity.workspaces.findById(row.workspaceId, tx),
  ]);
  if (typeof admin === 'string') return admin;
  return {
    to: admin.address,
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

type Subject<Of extends Notice> = Of extends Notice ? Omit<Of, keyof ToAdmin> : never;

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
