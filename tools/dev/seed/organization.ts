import { demo } from '../../../api/http/demo.js';
import type { Database } from '../../../db/database.js';
import type { AccountRow } from '../../../db/identity/models/account.js';
import { inviteToOrganization } from '../../../domain/identity/organizations/invitations.js';
import { createOrganization } from '../../../domain/identity/organizations/organizations.js';
import { setIdentityProvider } from '../../../domain/identity/single-sign-on/sso-settings.js';
import type { CommandContext } from '../../../domain/kernel/context.js';
import type { Encryption } from '../../../domain/lib/encryption.js';
import { demoClient } from './configure-simulators.js';
import { expectId } from './expect-id.js';
import { accountContext } from './people.js';

/** The organization of the demo workspace, with the demo's people and an open invitation. */
export async function buildOrganization(
  context: CommandContext & { encryption: Encryption },
  issuer: string,
): Promise<void> {
  const { db, actor, clock } = context;
  const { identity } = db;
  const admin = await identity.accounts.findByEmail(demo.adminEmail);
  if (admin === undefined) throw new Error('the demo has no admin');
  const { organization } = await createOrganization(
    { ...accountContext(db as Database, admin), policy: noLimits },
    { name: 'Demo Health', slug: demo.organizationSlug, uuid: demo.organizationUuid },
  );
  for (const [email, expected] of [
    ['member@clinic.example', demo.organizationMemberId],
    ['admin@elsewhere.example', demo.organizationMemberToRemove],
  ] as const) {
    const account = await identity.accounts.findByEmail(email);
    if (account !== undefined) expectId('organization member', await add(account), expected);
  }
  const invitation = await inviteToOrganization(accountContext(db as Database, admin), organization.uuid, {
    email: 'lee@clinic.example',
  });
  expectId('invitation', invitation, demo.invitationToWithdraw);
  const { id: clientId, secret: clientSecret, emailDomain } = demoClient;
  await setIdentityProvider(
    {
      ...accountContext(db as Database, admin),
      encryption: context.encryption,
      check: async () => undefined,
    },
    organization.uuid,
    { issuer, clientId, clientSecret, emailDomains: [emailDomain] },
  );
  await db.inWorkspace(actor.workspaceId, (tx) =>
    identity.organizations.setOfWorkspace(organization.id, 'inside', tx),
  );

  function add({ id: accountId, name, email }: AccountRow) {
    const joined = { role: 'member', joinedBy: 'invitation', createdAt: clock.now() } as const;
    return db.inIdentity((tx) =>
      identity.organizationMembers.add(
        { ...joined, organizationId: organization.id, accountId, name, email },
        tx,
      ),
    );
  }
}

const noLimits = {
  workspaceCreation: 'anyone',
  loginCodesPerHour: 0,
  workspacesPerAccount: 100,
  supportAccessHours: 1,
  bytesPerWorkspace: 0,
  exportDays: 1,
  localHttpOrigins: true,
} as const;
