import type { Knex } from 'knex';
import type { PageOf, PageRequest } from '../../domain/lib/paging.js';
import { column, type ValuesOf } from '../lib/table.js';
import { prepared } from '../statement.js';
import type { IdentityTx, Tx } from '../tx.js';
import { aliases, columns, countOf, IdentityTable, pageOf } from './columns.js';

/** Who is told that chats wait for a person, and how. */
export interface HandoffNotices {
  channels: ('email' | 'sms' | 'event')[];
  /** People with these roles, and these people, if their role reads chats. */
  memberRoleIds: number[];
  memberIds: number[];
  /** Codes of `domain/kernel/call-person.ts`. */
  reasons: string[];
  /** The least time between two notices to a person. */
  everyMinutes: number;
  /** Whether people are told of held mail as well; not in settings of earlier releases, which have not chosen it. */
  heldEmails?: boolean;
  /** The number that SMS are sent from; null: none is sent. */
  phoneNumberId: number | null;
  /** Where people answer, in a program of the workspace's own; not in settings of earlier releases. */
  queueUrl?: string | null;
}

export type Weekday = 'monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday' | 'sunday';

/** When nothing is sent that an agent or a task begins, by the clock of the member. */
export interface QuietHours {
  /** `HH:MM`. */
  from: string;
  /** `HH:MM`; earlier than `from`, or the same: on the next day. */
  to: string;
  /** The days on which they begin. */
  days: Weekday[];
}

/** What callers hear before a call is recorded, in one language. */
export interface NoticeText {
  text: string;
  /** Asked after it, where callers are asked. Absent: that of the service. */
  question?: string;
}

/** Days and times of a week in which calls are taken. */
export interface BusinessWindow {
  days: Weekday[];
  /** `HH:MM`. */
  from: string;
  /** `HH:MM`; earlier than `from`, or the same: on the next day. */
  to: string;
}

/** When incoming calls are taken, by the clock of the workspace. */
export interface BusinessHours {
  /** None: calls are taken at no time. */
  windows: BusinessWindow[];
  /** Days without business hours, as `YYYY-MM-DD`. */
  closedDates: string[];
  /** What happens outside of them: the caller is told, or the agent answers all the same. */
  outside: 'closed' | 'agent';
  /** What the caller is told; null: a usual sentence in its language. */
  closedText: string | null;
}

/** Something that the workspace knows of a member: a property, or a field of its newest record. */
export interface IdentityQuestion {
  memberField?: 'name' | 'email' | 'dateOfBirth' | 'externalId';
  dataTypeSlug?: string;
  fieldSlug?: string;
}

export interface IdentityQuestions {
  method: 'questions';
  questions: IdentityQuestion[];
  /** How many of them have to be answered. */
  required: number;
  triesPerCall: number;
  /** Of all calls of a member. */
  triesPerDay: number;
}

/** How callers prove who they are. */
export type VoiceIdentity = IdentityQuestions | { method: 'none' };

const fields = {
  id: column<number>(),
  uuid: column<string>(),
  name: column<string>(),
  slug: column<string>(),
  defaultRegion: column<string>(),
  locale: column<string>(),
  timezone: column<string>(),
  /** Origins of web pages that may read the API's responses for this workspace (CORS). */
  allowedOrigins: column<string[]>(),
  /** After so many days without anything new, what is in a chat is deleted, and a private file; null: never. */
  chatRetentionDays: column<number | null>(),
  fileRetentionDays: column<number | null>(),
  /** The countries that are called (ISO 3166 alpha-2); null: that of the number that is called from. */
  callCountries: column<string[] | null>(),
  /** How often a number is dialled within 24 hours. */
  callsPerDay: column<number>(),
  /** How many calls the workspace dials within 24 hours. */
  workspaceCallsPerDay: column<number>(),
  /** The countries that texts are begun to (ISO 3166 alpha-2); null: that of the number that they are sent from. */
  smsCountries: column<string[] | null>(),
  /** How many texts the workspace begins within 24 hours. */
  smsPerDay: column<number>(),
  /** Whether streams of calls are recorded, and after how many days that is deleted. */
  recordCalls: column<boolean>(),
  recordingRetentionDays: column<number | null>(),
  auditRetentionDays: column<number>(),
  /** By locale; null: the sentences of the service. */
  recordingNotice: column<Record<string, NoticeText> | null>(),
  /** Whether callers are only told that a call is recorded, or asked. */
  recordingConsent: column<'notice' | 'ask'>(),
  /** Null: callers cannot prove who they are. */
  voiceIdentity: column<VoiceIdentity | null>(),
  /** What emails say of their sender, where the law wants an address; null: nothing. */
  postalAddress: column<string | null>(),
  /** Null: no notices are sent. */
  handoffNotices: column<HandoffNotices | null>(),
  /** The hosts that agents may send requests to. */
  requestHosts: column<string[]>(),
  /** Null: none. */
  quietHours: column<QuietHours | null>(),
  /** Of numbers that have none of their own; null: calls are taken at any time. */
  businessHours: column<BusinessHours | null>(),
  createdAt: column<Date>(),
  updatedAt: column<Date>(),
};

export type WorkspaceRow = ValuesOf<typeof fields>;

export type NewWorkspace = Pick<WorkspaceRow, 'name' | 'slug'> &
  WorkspaceChanges & { uuid?: string; createdByAccountId?: number; createdAt?: Date };

export type WorkspaceChanges = Partial<Omit<WorkspaceRow, 'id' | 'uuid' | 'createdAt'>>;

const table = 'identity.workspaces';

/** The hosts that the agents of the workspace may send requests to. */
export async function requestHostsOf(tx: Tx): Promise<string[]> {
  const text = `select request_hosts as "requestHosts" from ${table} where id = ?`;
  return (await prepared<{ requestHosts: string[] }>(tx, text, [tx.workspaceId]))[0]?.requestHosts ?? [];
}

type OutboundCalls = Pick<WorkspaceRow, 'callCountries' | 'callsPerDay' | 'workspaceCallsPerDay'>;

/** Where the workspace calls, and how often a number and all numbers within 24 hours. */
export async function outboundCallsOf(tx: Tx): Promise<OutboundCalls | undefined> {
  const text = `select call_countries as "callCountries", calls_per_day as "callsPerDay",
      workspace_calls_per_day as "workspaceCallsPerDay" from ${table} where id = ?`;
  return (await prepared<OutboundCalls>(tx, text, [tx.workspaceId]))[0];
}

type OutboundTexts = Pick<WorkspaceRow, 'smsCountries' | 'smsPerDay'>;

/** Where the workspace begins to text, and how many texts it begins within 24 hours. */
export async function outboundTextsOf(tx: Tx): Promise<OutboundTexts | undefined> {
  const text = `select sms_countries as "smsCountries", sms_per_day as "smsPerDay" from ${table} where id = ?`;
  return (await prepared<OutboundTexts>(tx, text, [tx.workspaceId]))[0];
}

/** Whether calls are recorded, and what callers are told before. */
export async function recordingSettingsOf(tx: Tx): Promise<RecordingSettings | undefined> {
  const text = `select locale, record_calls as "recordCalls", recording_notice as "recordingNotice",
    recording_consent as "recordingConsent" from ${table} where id = ?`;
  return (await prepared<RecordingSettings>(tx, text, [tx.workspaceId]))[0];
}

type RecordingSettings = Pick<
  WorkspaceRow,
  'locale' | 'recordCalls' | 'recordingNotice' | 'recordingConsent'
>;

/** Whose the emails of the workspace are. */
export async function mailSenderOf(tx: Tx): Promise<Pick<WorkspaceRow, 'name' | 'postalAddress'>> {
  const text = `select name, postal_address as "postalAddress" from ${table} where id = ?`;
  const [found] = await prepared<Pick<WorkspaceRow, 'name' | 'postalAddress'>>(tx, text, [tx.workspaceId]);
  return found ?? { name: '', postalAddress: null };
}

export async function workspaceNameOf(tx: Tx): Promise<string> {
  const [found] = await prepared<{ name: string }>(tx, `select name from ${table} where id = ?`, [
    tx.workspaceId,
  ]);
  return found?.name ?? '';
}

export async function workspaceLocaleOf(tx: Tx): Promise<string> {
  const [found] = await prepared<{ locale: string }>(tx, `select locale from ${table} where id = ?`, [
    tx.workspaceId,
  ]);
  return found?.locale ?? 'en-US';
}

/** How callers prove who they are, by the definition, else by the workspace; undefined: it was not said. */
export async function voiceIdentityOf(
  tx: Tx,
  definitionId: number | null,
): Promise<VoiceIdentity | undefined> {
  const text = `select coalesce(
      (select voice_identity from workflow_definitions where id = ?),
      (select voice_identity from ${table} where id = ?)
    ) as "voiceIdentity"`;
  const values = [definitionId, tx.workspaceId];
  return (
    (await prepared<{ voiceIdentity: VoiceIdentity | null }>(tx, text, values))[0]?.voiceIdentity ?? undefined
  );
}

export type Transact = <T>(work: (tx: IdentityTx) => Promise<T>) => Promise<T>;

/** Workspaces: teams or projects, the tenants of the service. */
export class WorkspacesTable extends IdentityTable {
  readonly #transact: Transact;

  constructor(knex: Knex, transact: Transact) {
    super(knex);
    this.#transact = transact;
  }

  /** Creates a workspace, which `setUp` fills as its tenant in the same transaction. Undefined if the slug is taken. */
  async create(
    workspace: NewWorkspace,
    setUp: (tx: Tx, created: WorkspaceRow) => Promise<void> = async () => {},
  ): Promise<WorkspaceRow | undefined> {
    return this.#transact(async (tx) => {
      const inserted: { id: number }[] = await tx(table)
        .insert(columns(workspace))
        .onConflict('slug')
        .ignore()
        .returning('id');
      if (inserted[0] === undefined) return undefined;
      const workspaceId = inserted[0].id;
      const created: WorkspaceRow = await tx(table)
        .select(aliases(fields))
        .where({ id: workspaceId })
        .first();
      await tx.raw(`select set_config('app.workspace_id', ?, true)`, [String(workspaceId)]);
      await setUp(Object.assign(tx, { workspaceId }) as Tx, created);
      return created;
    });
  }

  async countCreatedBy(accountId: number, tx: Tx): Promise<number> {
    return countOf(tx(table).where({ created_by_account_id: accountId }));
  }

  async findById(id: number, tx?: Tx): Promise<WorkspaceRow | undefined> {
    return (tx ?? this.knex)(table).select(aliases(fields)).where({ id }).first();
  }

  /** Returns the region of phone numbers without a country code. Executed with every record that is written. */
  async findDefaultRegion(id: number, tx: Tx): Promise<string | undefined> {
    const text = `select default_region as "defaultRegion" from ${table} where id = ?`;
    return (await prepared<{ defaultRegion: string }>(tx, text, [id]))[0]?.defaultRegion;
  }

  async findByUuid(uuid: string): Promise<WorkspaceRow | undefined> {
    return this.knex(table).select(aliases(fields)).where({ uuid }).first();
  }

  async findQuietHours(id: number, tx: Tx): Promise<QuietHours | undefined> {
    const text = `select quiet_hours as "quietHours" from ${table} where id = ?`;
    return (await prepared<{ quietHours: QuietHours | null }>(tx, text, [id]))[0]?.quietHours ?? undefined;
  }

  /** The origins of web pages that may read the API's responses for a workspace; none if it does not exist. */
  async findAllowedOrigins(uuid: string): Promise<string[]> {
    const text = `select allowed_origins as "allowedOrigins" from ${table} where uuid = ?`;
    const [found] = await prepared<{ allowedOrigins: string[] }>(this.knex, text, [uuid]);
    return found?.allowedOrigins ?? [];
  }

  /** Returns the ids of all workspaces, ascending, for jobs over all tenants. */
  async listIds(): Promise<number[]> {
    return this.knex(table).orderBy('id').pluck('id');
  }

  async listForAccount(
    accountId: number,
    page: PageRequest<'name' | 'createdAt'>,
    {
      onlyWorkspaceId,
      onlyOrganizationId,
      sessionId,
    }: { onlyWorkspaceId: number | null; onlyOrganizationId: number | null; sessionId: number | null },
    now: Date,
  ): Promise<PageOf<WorkspaceRow>> {
    const mine = this.knex(`${table} as w`)
      .select(aliases(fields, 'w'))
      .join('identity.memberships as m', 'm.workspace_id', 'w.id')
      .where('m.account_id', accountId)
      // What a session without the identity provider does not enter, it does not see either.
      .whereNotExists((closed) =>
        closed
          .from('identity.organizations as o')
          .whereRaw('o.id = w.organization_id and o.sso_only')
          .whereNotExists((joined) =>
            joined
              .from('identity.organization_sessions as os')
              .whereRaw('os.organization_id = o.id and os.by_sso and os.ended_at is null')
              .where('os.session_id', sessionId ?? 0)
              .where('os.expires_at', '>', now)
              .select('os.id'),
          )
          .select('o.id'),
      );
    if (onlyWorkspaceId !== null) mine.where('w.id', onlyWorkspaceId);
    if (onlyOrganizationId !== null) mine.where('w.organization_id', onlyOrganizationId);
    return pageOf(mine, page, page.sortBy === 'name' ? 'w.name' : 'w.created_at', 'w.id');
  }

  /** Returns the row; undefined if there is none. @throws a unique violation if the slug is taken */
  async update(id: number, changes: WorkspaceChanges, tx?: Tx): Promise<WorkspaceRow | undefined> {
    const knex = tx ?? this.knex;
    await knex(table).where({ id }).update(columns(changes));
    return knex(table).select(aliases(fields)).where({ id }).first();
  }
}
