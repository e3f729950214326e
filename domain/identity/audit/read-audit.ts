import {
  type AuditFilter,
  maxAuditEventsCounted,
  selectAccountAuditEvents,
  selectAuditEvents,
  selectAuditEventsAfter,
  selectOrganizationAuditEvents,
  selectOrganizationAuditEventsAfter,
} from '../../../db/identity/audit-events.js';
import type { AuditEventRow } from '../../../db/identity/models/audit-event.js';
import type { AccountContext } from '../../kernel/account-context.js';
import { recordAudit } from '../../kernel/audit/record-audit.js';
import type { CommandContext } from '../../kernel/context.js';
import { InvalidInput } from '../../lib/errors.js';
import type { PageOf, PageRequest } from '../../lib/paging.js';
import type { Cell } from '../../records/csv/cells.js';
import { type CsvOptions, writeCsv } from '../../records/csv/write-csv.js';
import { recordInOrganization, requireOrganization } from '../organizations/require-organization.js';

type AuditPage = Promise<PageOf<AuditEventRow> & { totalIsExact: boolean }>;

/** The audit log of the workspace. `total` is exact up to 10,000, where pages end. @throws Forbidden, InvalidInput */
export async function listAuditEvents(
  { db, actor }: CommandContext,
  filter: AuditFilter,
  page: PageRequest<'createdAt'>,
): AuditPage {
  actor.require('audit:read');
  checkPage(page);
  return db.readInWorkspace(actor.workspaceId, (tx) => selectAuditEvents(tx, filter, page));
}

/** The log of the caller's own account. @throws InvalidInput */
export async function listAccountAuditEvents(
  { db, account }: AccountContext,
  filter: AuditFilter,
  page: PageRequest<'createdAt'>,
): AuditPage {
  checkPage(page);
  return db.inIdentity((tx) => selectAccountAuditEvents(tx, account.id, filter, page));
}

/** The log of an organization, for its owners and admins. @throws NotFound, Forbidden, InvalidInput */
export async function listOrganizationAuditEvents(
  context: AccountContext,
  uuid: string,
  filter: AuditFilter,
  page: PageRequest<'createdAt'>,
): AuditPage {
  checkPage(page);
  return context.db.inIdentity(async (tx) => {
    const { organization } = await requireOrganization(context, uuid, 'admin', { tx });
    return selectOrganizationAuditEvents(tx, organization.id, filter, page);
  });
}

function checkPage({ page, pageSize }: PageRequest<'createdAt'>): void {
  if (page * pageSize <= maxAuditEventsCounted) return;
  const message = `Pages end at ${maxAuditEventsCounted} events: ask for a part, by createdFrom and createdBefore.`;
  throw InvalidInput.field('/page', message);
}

const columns = [
  'id',
  'created_at',
  'action',
  'actor_member_id',
  'credential_kind',
  'credential_id',
  'subject_type',
  'subject_id',
  'names',
  'count',
  'address',
  'user_agent',
  'request_id',
];

const rowsInBatch = 1_000;

/** The log as a CSV file, oldest first. The export itself is recorded before it begins. @throws Forbidden */
export async function exportAuditEvents(
  context: CommandContext,
  filter: AuditFilter,
  options: CsvOptions = {},
): Promise<AuditFile> {
  const { db, actor } = context;
  actor.require('audit:read');
  await db.inWorkspace(actor.workspaceId, async (tx) => recordAudit(tx, context, 'audit:exported'));
  const next = (after: AuditEventRow | undefined) =>
    db.readInWorkspace(actor.workspaceId, (tx) => selectAuditEventsAfter(tx, filter, after, rowsInBatch));
  return fileOf(next, options);
}

/** The log of an organization as `exportAuditEvents`, for its owners and admins. @throws NotFound, Forbidden */
export async function exportOrganizationAuditEvents(
  context: AccountContext,
  uuid: string,
  filter: AuditFilter,
  options: CsvOptions = {},
): Promise<AuditFile> {
  const { db } = context;
  const { id } = await db.inIdentity(async (tx) => {
    const within = await requireOrganization(context, uuid, 'admin', { tx });
    recordInOrganization(tx, context, within, 'audit:exported');
    return within.organization;
  });
  const next = (after: AuditEventRow | undefined) =>
    db.inIdentity((tx) => selectOrganizationAuditEventsAfter(tx, id, filter, after, rowsInBatch));
  return fileOf(next, options);
}

interface AuditFile {
  fileName: string;
  text: AsyncIterable<string>;
}

type NextRows = (after: AuditEventRow | undefined) => Promise<AuditEventRow[]>;

function fileOf(next: NextRows, options: CsvOptions): AuditFile {
  return { fileName: 'audit-events.csv', text: writeCsv(columns, cellsOf(next), options) };
}

async function* cellsOf(next: NextRows): AsyncGenerator<Cell[]> {
  let last: AuditEventRow | undefined;
  for (;;) {
    const rows = await next(last);
    for (const row of rows) {
      yield [
        row.id,
        row.createdAt.toISOString(),
        row.action,
        row.actorMemberId,
        row.credentialKind,
        row.credentialId,
        row.subjectType,
        row.subjectId,
        row.names.join(' '),
        row.count,
        row.address,
        row.userAgent,
        row.requestId,
      ];
    }
    last = rows.at(-1);
    if (rows.length < rowsInBatch) return;
  }
}
