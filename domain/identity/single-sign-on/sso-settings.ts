import type { IdentityProviderRow } from '../../../db/identity/models/identity-provider.js';
import type { AccountContext } from '../../kernel/account-context.js';
import { givenNames } from '../../kernel/audit/record-audit.js';
import { normalizeEmail } from '../../lib/email.js';
import type { Encryption } from '../../lib/encryption.js';
import { Conflict, type FieldError, InvalidInput, NotFound } from '../../lib/errors.js';
import { parseUrl } from '../../lib/parse-url.js';
import { recordInOrganization, requireOrganization } from '../organizations/require-organization.js';

export type ProviderView = Omit<IdentityProviderRow, 'clientSecret' | 'organizationId'>;

export interface ProviderInput {
  issuer: string;
  clientId: string;
  /** May be left out while issuer and client stay the same. */
  clientSecret?: string;
  emailDomains?: string[];
}

/** What an address check says of a host; undefined: nothing is wrong. */
export type CheckIssuer = (url: string) => Promise<{ detail: string } | undefined>;

/** The identity provider, for owners. @throws NotFound, Forbidden */
export async function getIdentityProvider(context: AccountContext, uuid: string): Promise<ProviderView> {
  const { organization } = await requireOrganization(context, uuid, 'owner');
  const found = await context.db.identity.identityProviders.find(organization.id);
  if (found === undefined) throw new NotFound('Identity provider');
  return found;
}

/**
 * Sets the identity provider, for owners. Another issuer knows other people: who signed in by the one before is known by
 * it only. @throws NotFound, Forbidden, InvalidInput
 */
export async function setIdentityProvider(
  context: AccountContext & { encryption: Encryption; check: CheckIssuer },
  uuid: string,
  input: ProviderInput,
): Promise<ProviderView> {
  const { db, clock, encryption } = context;
  const { issuer, clientId, clientSecret } = input;
  const emailDomains = [...new Set((input.emailDomains ?? []).map((domain) => domain.toLowerCase()))];
  const errors: FieldError[] = emailDomains.flatMap((domain, index) =>
    normalizeEmail(`person@${domain}`) === null
      ? [{ pointer: `/emailDomains/${index}`, message: 'must be a domain such as example.com' }]
      : [],
  );
  const problem = await issuerProblem(context.check, issuer);
  if (problem !== undefined) errors.push({ pointer: '/issuer', message: problem });
  if (errors.length > 0) throw InvalidInput.fields(errors);
  return db.inIdentity(async (tx) => {
    const own = await requireOrganization(context, uuid, 'owner', { tx, lock: true });
    const { organization } = own;
    const before = await db.identity.identityProviders.find(organization.id, tx);
    const isSame = before?.issuer === issuer && before.clientId === clientId;
    const secret =
      clientSecret === undefined
        ? isSame
          ? before.clientSecret
          : undefined
        : encryption.encrypt(clientSecret, secretContext(organization.id));
    if (secret === undefined) throw InvalidInput.field('/clientSecret', 'is needed for another provider');
    const now = clock.now();
    const provider = {
      organizationId: organization.id,
      issuer,
      clientId,
      clientSecret: secret,
      emailDomains,
      createdAt: before?.createdAt ?? now,
      updatedAt: now,
    };
    await db.identity.identityProviders.put(provider, tx);
    recordInOrganization(tx, context, own, 'identity_provider:set', { names: givenNames(input) });
    return provider;
  });
}

/** @throws NotFound, Forbidden, Conflict `sso_only` */
export async function removeIdentityProvider(context: AccountContext, uuid: string): Promise<void> {
  const { db } = context;
  await db.inIdentity(async (tx) => {
    const own = await requireOrganization(context, uuid, 'owner', { tx, lock: true });
    const { organization } = own;
    if (organization.ssoOnly) {
      const why = 'The organization accepts nothing but its identity provider. Change `ssoOnly` first.';
      throw new Conflict('sso_only', why);
    }
    if (!(await db.identity.identityProviders.remove(organization.id, tx))) {
      throw new NotFound('Identity provider');
    }
    recordInOrganization(tx, context, own, 'identity_provider:removed');
  });
}

export function secretContext(organizationId: number): string {
  return `client secret of organization ${organizationId}`;
}

/** An issuer has neither query nor fragment (OpenID Connect Discovery 1.0, 3). */
async function issuerProblem(check: CheckIssuer, issuer: string): Promise<string | undefined> {
  const url = parseUrl(issuer);
  if (url === undefined || url.search !== '' || url.hash !== '' || /[?#]/.test(issuer)) {
    return 'must be an address without query and fragment';
  }
  return (await check(issuer))?.detail;
}
