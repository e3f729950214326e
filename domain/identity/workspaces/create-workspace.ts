import { randomBytes } from 'node:crypto';
import type { WorkspaceRow } from '../../../db/identity/models/workspace.js';
import { insertMemberRole } from '../../../db/people/member-roles.js';
import { insertMember } from '../../../db/people/members.js';
import type { Tx } from '../../../db/tx.js';
import { type AccountContext, requireSuperuser } from '../../kernel/account-context.js';
import { recordAccountAudit } from '../../kernel/audit/record-audit.js';
import type { InstallationPolicy } from '../../kernel/installation-policy.js';
import { allScopes } from '../../kernel/scopes.js';
import { Conflict, Forbidden } from '../../lib/errors.js';
import { emptyMember } from '../../people/members/add-member.js';
import { checkWorkspaceAttributes, slugTaken, type WorkspaceAttributes } from './workspace-attributes.js';

/** Creates a workspace within the policy of the installation. @throws Forbidden, Conflict `too_many_workspaces` */
export async function createOwnWorkspace(
  context: AccountContext & { policy: InstallationPolicy },
  input: NewWorkspaceInput,
): Promise<WorkspaceRow> {
  const { db, account, policy } = context;
  if (policy.workspaceCreation === 'superusers') requireSuperuser(context);
  return createWorkspace(context, input, async (tx) => {
    if (account.isSuperuser) return;
    // The row lock of the account makes concurrent requests count one after the other.
    await db.identity.accounts.lock(account.id, tx);
    const created = await db.identity.workspaces.countCreatedBy(account.id, tx);
    if (created <= policy.workspacesPerAccount) return;
    const most = `The account has created ${policy.workspacesPerAccount} workspaces, the most it may.`;
    throw new Conflict('too_many_workspaces', most);
  });
}

type NewWorkspaceInput = WorkspaceAttributes & { name: string; uuid?: string };

const attemptsAtSlug = 5;

/** Creates a workspace with the roles Admin and Member; `check` throws in the transaction to refuse it. */
export async function createWorkspace(
  context: AccountContext,
  input: NewWorkspaceInput,
  check: (tx: Tx) => Promise<void> = async () => {},
): Promise<WorkspaceRow> {
  if (context.credential.workspaceId !== null) {
    throw new Forbidden('other workspaces', 'The credential is limited to one workspace.');
  }
  const { slug, ...attributes } = checkWorkspaceAttributes(input);
  const now = context.clock.now();
  const wanted = slug === undefined ? slugsFrom(attributes.name) : [slug];
  for (const candidate of wanted) {
    const created = await context.db.identity.workspaces.create(
      {
        ...attributes,
        slug: candidate,
        createdByAccountId: context.account.id,
        createdAt: now,
        updatedAt: now,
      },
      async (tx) => {
        await check(tx);
        await setUp(tx, context, now);
        const { account, credential } = context;
        const subject = ['workspace', tx.workspaceId] as const;
        recordAccountAudit(tx, { now, credential }, account.id, 'workspace:created', { subject });
      },
    );
    if (created !== undefined) return created;
  }
  throw slugTaken();
}

async function setUp(tx: Tx, { db, account }: AccountContext, now: Date): Promise<void> {
  const admin = await insertMemberRole(
    tx,
    { name: 'Admin', permissions: [...allScopes], useAdmin: true, manageWorkspace: true },
    now,
  );
  await insertMemberRole(
    tx,
    { name: 'Member', permissions: [], useAdmin: false, manageWorkspace: false },
    now,
  );
  const member = await insertMember(
    tx,
    {
      ...emptyMember,
      name: account.name,
      email: account.email,
      phone: account.phone,
      memberRoleId: admin.id,
      locale: account.locale,
    },
    now,
  );
  await db.identity.memberships.add(
    { workspaceId: tx.workspaceId, memberId: member.id, accountId: account.id, createdAt: now },
    tx,
  );
}

/** Slugs to try for a name: its letters and digits, then the same with a random suffix. */
function slugsFrom(name: string): string[] {
  const letters = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 50);
  const base = letters === '' ? 'workspace' : letters;
  const others = Array.from(
    { length: attemptsAtSlug - 1 },
    () => `${base}-${randomBytes(4).toString('hex')}`,
  );
  return [base, ...others];
}
