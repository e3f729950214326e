import type { OAuthClientRow } from '../../../db/identity/models/oauth-client.js';
import type { OAuthClientChanges } from '../../../db/identity/oauth-clients.js';
import type { IdentityTx } from '../../../db/tx.js';
import { type AccountContext, requireSession } from '../../kernel/account-context.js';
import type { AuditAction } from '../../kernel/audit/audit-actions.js';
import { givenNames, recordAccountAudit } from '../../kernel/audit/record-audit.js';
import { Conflict, InvalidInput, NotFound } from '../../lib/errors.js';
import type { PageOf, PageRequest } from '../../lib/paging.js';
import { createClientId, createClientSecret } from './client-secret.js';
import { endGrantsOfClient } from './grants.js';
import { isOAuthScope } from './oauth-scopes.js';
import { checkRedirectUris, isNativeRedirect } from './redirect-uris.js';

export interface ApplicationInput {
  name: string;
  /** Where the application can be read about. */
  serverUrl?: string | null;
  redirectUris: readonly string[];
  /** The most that the application may ask for. */
  scopes: readonly string[];
}

export interface NewApplicationInput extends ApplicationInput {
  /** Undefined: a random one. */
  uuid?: string;
  /** Whether the application can keep a secret. One that runs on the person's device cannot. */
  confidential?: boolean;
}

const maxOfAccount = 50;
/** How long a secret stays valid after it was rotated. */
const overlapMs = 24 * 3_600_000;

/** Creates an OAuth application. @returns its secret too, only this once @throws InvalidInput, Conflict, Forbidden */
export async function createApplication(
  context: AccountContext,
  input: NewApplicationInput,
): Promise<{ application: OAuthClientRow; secret: string | null }> {
  const { db, clock, account, credential } = context;
  requireSession(context);
  checkApplication(input);
  const isNative = input.redirectUris.some(isNativeRedirect);
  const confidential = input.confidential ?? !isNative;
  const created = confidential ? createClientSecret() : undefined;
  const now = clock.now();
  return db.inIdentity(async (tx) => {
    // Serializes the applications of an account, so that concurrent requests are all counted.
    await db.identity.accounts.lock(account.id, tx);
    const before = await db.identity.oauthClients.countForAccount(account.id, tx);
    if (before >= maxOfAccount) {
      throw new Conflict('too_many_applications', `The account has ${maxOfAccount} applications.`);
    }
    const application = await db.identity.oauthClients.insert(
      {
        ...(input.uuid === undefined ? {} : { uuid: input.uuid }),
        clientId: createClientId(),
        accountId: account.id,
        name: input.name,
        serverUrl: input.serverUrl ?? null,
        redirectUris: [...new Set(input.redirectUris)],
        scopes: [...new Set(input.scopes)],
        isNative,
        secretHash: created?.hash ?? null,
        secretHint: created?.hint ?? null,
        createdAt: now,
        updatedAt: now,
      },
      tx,
    );
    const note = { subject: ['application', application.id], names: application.scopes } as const;
    recordAccountAudit(tx, { now, credential }, account.id, 'application:created', note);
    return { application, secret: created?.secret ?? null };
  });
}

export async function listApplications(
  { db, account }: AccountContext,
  page: PageRequest<'name' | 'createdAt'>,
): Promise<PageOf<OAuthClientRow>> {
  return db.identity.oauthClients.listForAccount(account.id, page);
}

/** @throws NotFound */
export async function getApplication(
  { db, account }: AccountContext,
  uuid: string,
  tx?: IdentityTx,
): Promise<OAuthClientRow> {
  const application = await db.identity.oauthClients.findForAccount(account.id, uuid, tx);
  if (application === undefined) throw new NotFound('Application');
  return application;
}

/** Changes an application. Grants keep the scopes that their person consented to. @throws InvalidInput, NotFound, Forbidden */
export async function updateApplication(
  context: AccountContext,
  uuid: string,
  input: Partial<ApplicationInput>,
): Promise<OAuthClientRow> {
  requireSession(context);
  const act = { action: 'application:updated', names: givenNames(input) } as const;
  return changing(context, uuid, act, (application) => {
    const changes = withoutUndefined({
      ...input,
      redirectUris: input.redirectUris && [...new Set(input.redirectUris)],
      scopes: input.scopes && [...new Set(input.scopes)],
    });
    checkApplication({ ...application, ...changes });
    if (input.redirectUris?.some(isNativeRedirect) === !application.isNative) {
      throw InvalidInput.field('/redirectUris', 'cannot change between the web and the person’s device');
    }
    return changes;
  });
}

/** Replaces the secret; the one before stays valid for a day. @throws NotFound, Conflict `application_is_public`, Forbidden */
export async function rotateApplicationSecret(
  context: AccountContext,
  uuid: string,
): Promise<{ application: OAuthClientRow; secret: string }> {
  requireSession(context);
  const { secret, hash, hint } = createClientSecret();
  const application = await changing(
    context,
    uuid,
    { action: 'application:secret_rotated' },
    ({ secretHash }, now) => {
      if (secretHash === null) {
        throw new Conflict('application_is_public', 'The application has no secret: it cannot keep one.');
      }
      return {
        secretHash: hash,
        secretHint: hint,
        formerSecretHash: secretHash,
        formerSecretUntil: new Date(now.getTime() + overlapMs),
      };
    },
  );
  return { application, secret };
}

/** Deletes an application, and ends all that persons have granted to it. @throws NotFound, Forbidden */
export async function deleteApplication(context: AccountContext, uuid: string): Promise<void> {
  requireSession(context);
  const { db, clock, account, credential } = context;
  await db.inIdentity(async (tx) => {
    const { id, clientId } = await getApplication(context, uuid, tx);
    await endGrantsOfClient({ db, clock }, clientId, 'application', tx);
    await db.identity.oauthClients.delete(id, tx);
    const by = { now: clock.now(), credential };
    recordAccountAudit(tx, by, account.id, 'application:deleted', { subject: ['application', id] });
  });
}

async function changing(
  context: AccountContext,
  uuid: string,
  { action, names }: { action: AuditAction; names?: readonly string[] },
  changesOf: (application: OAuthClientRow, now: Date) => OAuthClientChanges,
): Promise<OAuthClientRow> {
  const { db, clock, account, credential } = context;
  return db.inIdentity(async (tx) => {
    const application = await getApplication(context, uuid, tx);
    const now = clock.now();
    const changes = changesOf(application, now);
    await db.identity.oauthClients.update(application.id, { ...changes, updatedAt: now }, tx);
    const note = { subject: ['application', application.id], names } as const;
    recordAccountAudit(tx, { now, credential }, account.id, action, note);
    return getApplication(context, uuid, tx);
  });
}

function checkApplication({ redirectUris, scopes }: Pick<ApplicationInput, 'redirectUris' | 'scopes'>): void {
  checkRedirectUris(redirectUris);
  for (const [place, scope] of scopes.entries()) {
    if (!isOAuthScope(scope)) throw InvalidInput.field(`/scopes/${place}`, 'is not a scope of applications');
  }
}

type Defined<Fields> = { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> };

function withoutUndefined<Fields extends object>(fields: Fields): Defined<Fields> {
  const defined = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(defined) as Defined<Fields>;
}
