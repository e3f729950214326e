import type { Knex } from 'knex';
import type { PageOf, PageRequest } from '../../domain/lib/paging.js';
import { prepared } from '../statement.js';
import type { IdentityTx, Tx } from '../tx.js';
import { IdentityTable, pageOf } from './identity-table.js';
import {
  type QuietHours,
  type VoiceIdentity,
  WorkspaceModel,
  type WorkspaceRow,
} from './models/workspace.js';

type NewWorkspace = Pick<WorkspaceRow, 'name' | 'slug'> &
  WorkspaceChanges & { uuid?: string; createdByAccountId?: number; createdAt?: Date };

type WorkspaceChanges = Partial<Omit<WorkspaceRow, 'id' | 'uuid' | 'createdAt'>>;

const table = WorkspaceModel.tableName;

/** The hosts that the agents of the workspace may send requests to. */
export async function requestHostsOf(tx: Tx): Promise<string[]> {
  return (await settingsOf(tx, ['requestHosts']))?.requestHosts ?? [];
}

/** Where the workspace calls, and how often a number and all numbers within 24 hours. */
export async function outboundCallsOf(tx: Tx) {
  return settingsOf(tx, ['callCountries', 'callsPerDay', 'workspaceCallsPerDay']);
}

/** Where the workspace begins to text, and how many texts it begins within 24 hours. */
export async function outboundTextsOf(tx: Tx) {
  return settingsOf(tx, ['smsCountries', 'smsPerDay']);
}

/** Whether calls are recorded, and what callers are told before. */
export async function recordingSettingsOf(tx: Tx) {
  return settingsOf(tx, ['locale', 'recordCalls', 'recordingNotice', 'recordingConsent']);
}

/** Whose the emails of the workspace are. */
export async function mailSenderOf(tx: Tx): Promise<Pick<WorkspaceRow, 'name' | 'postalAddress'>> {
  return (await settingsOf(tx, ['name', 'postalAddress'])) ?? { name: '', postalAddress: null };
}

export async function workspaceNameOf(tx: Tx): Promise<string> {
  return (await settingsOf(tx, ['name']))?.name ?? '';
}

export async function workspaceLocaleOf(tx: Tx): Promise<string> {
  return (await settingsOf(tx, ['locale']))?.locale ?? 'en-US';
}

async function settingsOf<F extends keyof WorkspaceRow>(
  tx: Tx,
  fields: readonly F[],
): Promise<Pick<WorkspaceRow, F> | undefined> {
  const [found] = await WorkspaceModel.pick(tx, fields, 'id = ?', [tx.workspaceId]);
  return found;
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
      const created = await WorkspaceModel.insertOnce(tx, workspace, ['slug']);
      if (created === undefined) return undefined;
      const { id: workspaceId } = created;
      await prepared(tx, `select set_config('app.workspace_id', ?, true)`, [String(workspaceId)]);
      await setUp(Object.assign(tx, { workspaceId }) as Tx, created);
      return created;
    });
  }

  async countCreatedBy(accountId: number, tx: Tx): Promise<number> {
    return WorkspaceModel.count(tx, 'created_by_account_id = ?', [accountId]);
  }

  async findById(id: number, tx?: Tx): Promise<WorkspaceRow | undefined> {
    return WorkspaceModel.find(tx ?? this.knex, id);
  }

  /** Returns the region of phone numbers without a country code. Executed with every record that is written. */
  async findDefaultRegion(id: number, tx: Tx): Promise<string | undefined> {
    const text = `select default_region as "defaultRegion" from ${table} where id = ?`;
    return (await prepared<{ defaultRegion: string }>(tx, text, [id]))[0]?.defaultRegion;
  }

  async findByUuid(uuid: string): Promise<WorkspaceRow | undefined> {
    return WorkspaceModel.first(this.knex, 'uuid = ?', [uuid]);
  }

  async findQuietHours(id: number, tx: Tx): Promise<QuietHours | undefined> {
    return (await WorkspaceModel.pick(tx, ['quietHours'], 'id = ?', [id]))[0]?.quietHours ?? undefined;
  }

  /** The origins of web pages that may read the API's responses for a workspace; none if it does not exist. */
  async findAllowedOrigins(uuid: string): Promise<string[]> {
    const text = `select allowed_origins as "allowedOrigins" from ${table} where uuid = ?`;
    const [found] = await prepared<{ allowedOrigins: string[] }>(this.knex, text, [uuid]);
    return found?.allowedOrigins ?? [];
  }

  /** Returns the ids of all workspaces, ascending, for jobs over all tenants. */
  async listIds(): Promise<number[]> {
    const rows = await WorkspaceModel.pick(this.knex, ['id'], 'true order by id');
    return rows.map(({ id }) => id);
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
    // What a session without the identity provider does not enter, it does not see either.
    const isEntered = `not exists (
      select from identity.organizations o where o.id = workspaces.organization_id and o.sso_only and not exists (
        select from identity.organization_sessions os where os.organization_id = o.id and os.by_sso
          and os.ended_at is null and os.session_id = ? and os.expires_at > ?))`;
    const mine = {
      select: WorkspaceModel.columns,
      from: `${table} join identity.memberships m on m.workspace_id = workspaces.id
        where m.account_id = ? and ${isEntered}`,
      bindings: [accountId, sessionId ?? 0, now] as unknown[],
    };
    if (onlyWorkspaceId !== null) {
      mine.from += ' and workspaces.id = ?';
      mine.bindings.push(onlyWorkspaceId);
    }
    if (onlyOrganizationId !== null) {
      mine.from += ' and workspaces.organization_id = ?';
      mine.bindings.push(onlyOrganizationId);
    }
    const sortColumn = page.sortBy === 'name' ? 'workspaces.name' : 'workspaces.created_at';
    return pageOf(this.knex, mine, page, sortColumn, 'workspaces.id');
  }

  /** Returns the row; undefined if there is none. @throws a unique violation if the slug is taken */
  async update(id: number, changes: WorkspaceChanges, tx?: Tx): Promise<WorkspaceRow | undefined> {
    const [updated] = await WorkspaceModel.updateReturning(tx ?? this.knex, changes, 'id = ?', [id]);
    return updated;
  }
}
