import { randomInt, randomUUID } from 'node:crypto';
import { type AssignmentTaskRow, selectAssignmentTasks } from '../../../db/assignments/assignment-tasks.js';
import type { AssignmentRow } from '../../../db/assignments/assignments.js';
import type { Database } from '../../../db/database.js';
import { insertMemberRole, type MemberRoleRow } from '../../../db/people/member-roles.js';
import { insertMember, type MemberRow, type MemberValues } from '../../../db/people/members.js';
import { vouchForMember } from '../../../db/people/vouched-members.js';
import type { Tx } from '../../../db/tx.js';
import { createAssignment } from '../../../domain/assignments/create-assignment.js';
import { liveOutreach } from '../../../domain/calls/live-outreach.js';
import type { RevisionTask } from '../../../domain/definitions/revision-rules/types.js';
import { createWorkflowDefinition } from '../../../domain/definitions/workflow-definitions/create-workflow-definition.js';
import { createRevision } from '../../../domain/definitions/workflow-revisions/create-revision.js';
import { publishRevision } from '../../../domain/definitions/workflow-revisions/publish-revision.js';
import { createApiKeySecret } from '../../../domain/identity/api-keys/api-key-secret.js';
import { Actor, type CredentialKind } from '../../../domain/kernel/actor.js';
import type { CommandContext } from '../../../domain/kernel/context.js';
import { allScopes, type Scope, selfServiceScopes } from '../../../domain/kernel/scopes.js';
import { type Clock, systemClock } from '../../../domain/lib/clock.js';
import { catalogueWith } from '../lib/models.js';

/** A member with an account behind it and an API key to call the service with. */
export interface TestMember {
  memberId: number;
  memberUuid: string;
  accountId: number;
  accountUuid: string;
  apiKey: string;
  row: MemberRow;
  role: MemberRoleRow;
}

export interface TestWorkspace {
  database: Database;
  workspaceId: number;
  workspaceUuid: string;
  roles: { admin: MemberRoleRow; member: MemberRoleRow };
  /** Holds every permission; its key names every scope. */
  admin: TestMember;
  /** Holds no permission; its key names what self-access needs. */
  member: TestMember;
  /** The path below `/api/v2`: `path('/members')` is `/w/<uuid>/members`. */
  path(rest: string): string;
  /** What a command needs, for one of the workspace's members; the admin unless told. */
  context(member?: TestMember, clock?: Clock): CommandContext;
  /** Works in a transaction of the workspace. */
  within<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
}

export interface WorkspaceOptions {
  name?: string;
  defaultRegion?: string;
  timezone?: string;
}

/** Mints a workspace of its own, so that suites share a database without seeing each other. */
export async function createWorkspace(
  database: Database,
  options: WorkspaceOptions = {},
): Promise<TestWorkspace> {
  const tag = randomTag();
  const created = await database.identity.workspaces.create({
    name: options.name ?? `Workspace ${tag}`,
    slug: `workspace-${tag}`,
    defaultRegion: options.defaultRegion ?? 'US',
    timezone: options.timezone ?? 'UTC',
  });
  if (created === undefined) throw new Error('the slug of a test workspace was taken');
  const place = { database, workspaceId: created.id, workspaceUuid: created.uuid };
  const admin = await addRole(place, {
    name: 'Admin',
    permissions: allScopes,
    useAdmin: true,
    manageWorkspace: true,
  });
  const member = await addRole(place, { name: 'Member' });
  const adminMember = await addMember(place, { role: admin, scopes: allScopes });
  const plainMember = await addMember(place, { role: member });
  return {
    ...place,
    roles: { admin, member },
    admin: adminMember,
    member: plainMember,
    path: (rest) => `/w/${created.uuid}${rest}`,
    context: (who = adminMember, clock = systemClock) => ({
      db: database,
      clock,
      outreach: liveOutreach,
      models: catalogueWith(),
      actor: actorOf(place, { member: who, permissions: who.role.permissions }),
    }),
    within: (work) => database.inWorkspace(created.id, work),
  };
}

/** Where a factory puts what it makes. */
export type Place = Pick<TestWorkspace, 'database' | 'workspaceId' | 'workspaceUuid'>;

export interface RoleOptions {
  name?: string;
  permissions?: readonly string[];
  useAdmin?: boolean;
  manageWorkspace?: boolean;
}

export async function addRole(place: Place, options: RoleOptions = {}): Promise<MemberRoleRow> {
  const values = {
    name: options.name ?? `Role ${randomTag()}`,
    permissions: [...(options.permissions ?? [])],
    useAdmin: options.useAdmin ?? false,
    manageWorkspace: options.manageWorkspace ?? false,
  };
  return place.database.inWorkspace(place.workspaceId, (tx) => insertMemberRole(tx, values, new Date()));
}

export interface MemberOptions {
  /** The role to have, or `permissions` for a new one. */
  role?: MemberRoleRow;
  permissions?: readonly string[];
  /** What the API key names: all scopes with `permissions`, those of self-access otherwise. */
  scopes?: readonly Scope[];
  /** Columns that matter to the test; all others are random. */
  values?: Partial<MemberValues>;
}

/** A member that can call the service. */
export async function addMember(place: Place, options: MemberOptions = {}): Promise<TestMember> {
  const { database, workspaceId } = place;
  const role = options.role ?? (await addRole(place, { permissions: options.permissions ?? [] }));
  const row = await addMemberRow(place, { memberRoleId: role.id, ...options.values });
  const account = await database.identity.accounts.create({ name: row.name, email: uniqueEmail() });
  await database.identity.memberships.add({ workspaceId, memberId: row.id, accountId: account.id });
  const scopes = options.scopes ?? (options.permissions === undefined ? selfServiceScopes : allScopes);
  const apiKey = await addApiKey(database, account.id, { scopes });
  return {
    memberId: row.id,
    memberUuid: row.uuid,
    accountId: account.id,
    accountUuid: account.uuid,
    apiKey,
    row,
    role,
  };
}

/** A member without an account: only the row, as a colleague writes it down unless told. */
export async function addMemberRow(
  place: Place,
  values: Partial<MemberValues> & Pick<MemberValues, 'memberRoleId'>,
  { isVouchedFor = true }: { isVouchedFor?: boolean } = {},
): Promise<MemberRow> {
  const complete: MemberValues = {
    kind: 'human',
    name: `Member ${randomTag()}`,
    email: uniqueEmail(),
    phone: uniquePhone(),
    dateOfBirth: null,
    description: null,
    externalId: null,
    locale: null,
    notifyEmail: true,
    notifySms: true,
    notifyVoice: true,
    ...values,
  };
  return place.database.inWorkspace(place.workspaceId, async (tx) => {
    const row = await insertMember(tx, complete, new Date());
    if (isVouchedFor) await vouchForMember(tx, row.id);
    return row;
  });
}

/** An assignment on a workflow of its own that has these tasks; the admin's own unless told. */
export async function addAssignment(
  workspace: TestWorkspace,
  options: { rootTask: RevisionTask; memberId?: number },
): Promise<{ assignment: AssignmentRow; tasks: AssignmentTaskRow[] }> {
  const context = workspace.context();
  const definition = await createWorkflowDefinition(context, { name: `Workflow ${randomTag()}` });
  const revision = await createRevision(context, definition.id, { rootTask: options.rootTask });
  await publishRevision(context, definition.id, revision.id);
  const assignment = await createAssignment(context, {
    workflowId: definition.id,
    memberId: options.memberId ?? workspace.admin.memberId,
  });
  const tasks = await workspace.database.inWorkspace(workspace.workspaceId, (tx) =>
    selectAssignmentTasks(tx, assignment.id),
  );
  return { assignment, tasks };
}

/** Another key of an account; returns the secret. */
export async function addApiKey(
  database: Database,
  accountId: number,
  options: { scopes?: readonly Scope[]; workspaceId?: number; expiresAt?: Date } = {},
): Promise<string> {
  const { secret, prefix, hash } = createApiKeySecret();
  await database.identity.apiKeys.insert({
    accountId,
    workspaceId: options.workspaceId,
    name: `Key ${prefix}`,
    prefix,
    hash,
    scopes: options.scopes ?? allScopes,
    expiresAt: options.expiresAt,
  });
  return secret;
}

/** An actor with just these permissions, acting as a member; its credential is not cut down unless told. */
export function actorOf(
  place: Place,
  options: {
    member: Omit<TestMember, 'accountId'> & { accountId: number | null };
    permissions?: readonly string[];
    scopes?: readonly string[] | null;
    kind?: CredentialKind;
    /** Default true. */
    isKnown?: boolean;
  },
): Actor {
  return new Actor({
    workspaceId: place.workspaceId,
    workspaceUuid: place.workspaceUuid,
    accountId: options.member.accountId,
    memberId: options.member.memberId,
    memberRoleId: options.member.role.id,
    permissions: options.permissions ?? [],
    isKnown: options.isKnown ?? true,
    credential: { kind: options.kind ?? 'api_key', id: 1, scopes: options.scopes ?? null },
  });
}

export function randomTag(): string {
  return randomUUID().slice(0, 8);
}

export function uniqueEmail(): string {
  return `person-${randomUUID()}@example.com`;
}

// Area codes in use; 555-0100 to 555-0199 is kept free for fiction in each of them.
const areaCodes = [
  201, 202, 203, 205, 206, 207, 208, 209, 210, 212, 213, 214, 215, 216, 217, 218, 219, 224, 225, 228, 229,
  231, 234, 239, 240, 248, 251, 252, 253, 254, 256, 260, 262, 267, 269, 270, 276, 281, 301, 302, 303, 304,
  305, 307, 308, 309, 310, 312, 313, 314, 315, 316, 317, 318, 319, 320, 321, 323, 325, 330, 331, 334, 336,
  337, 339, 347, 351, 352, 360,
];
let phonesGiven = randomInt(areaCodes.length * 100);

/** A valid E.164 number that nobody has, in a different order in each test process. */
export function uniquePhone(): string {
  phonesGiven += 1;
  const areaCode = areaCodes[Math.floor(phonesGiven / 100) % areaCodes.length];
  return `+1${areaCode}55501${String(phonesGiven % 100).padStart(2, '0')}`;
}
