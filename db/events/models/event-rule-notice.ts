import { column, tenantTable } from '../../lib/table.js';
import type { RowOf } from '../../lib/table-model.js';

/** A mail to one admin, to be sent or sent: a rule was disabled, credits run out, a secret or a remote MCP server is refused, the domain of a site lapses. */
export class EventRuleNoticeModel extends tenantTable('event_rule_notices', {
  uuid: column<string>(),
  /** Of a disabled rule; a notice has this, the month, the secret, the server or the site. */
  eventRuleId: column<number | null>(),
  creditMonthId: column<number | null>(),
  secretId: column<number | null>(),
  mcpServerId: column<number | null>(),
  siteId: column<number | null>(),
  memberId: column<number>(),
  reason: column<
    | 'gone'
    | 'failing'
    | 'credits_low'
    | 'credits_used_up'
    | 'secret_refused'
    | 'mcp_server_refused'
    | 'mcp_tools_changed'
    | 'site_domain_failing'
    | 'site_domain_lapsed'
  >('code'),
  createdAt: column<Date>(),
  /** When the only attempt to send it began; no other attempt is made. */
  claimedAt: column<Date | null>(),
  claimToken: column<string | null>(),
  sentAt: column<Date | null>(),
  /** A code. */
  failureReason: column<string | null>('code'),
}) {}

export type EventRuleNoticeRow = RowOf<EventRuleNoticeModel>;
