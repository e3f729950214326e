import type { ServiceContext } from '../../kernel/context.js';
import { TooManyRequests } from '../../lib/errors.js';
import { hashClientSecret } from './client-secret.js';
import { oauthScopes } from './oauth-scopes.js';

/** Who registers a client (RFC 7591). */
export interface Registrant {
  /** Keyed hash of its address. */
  addressHash: Buffer;
}

/** The metadata that the authorization server has checked. */
export interface RegisteredMetadata {
  client_name?: unknown;
  client_uri?: unknown;
  redirect_uris?: unknown;
  scope?: unknown;
  application_type?: unknown;
  client_secret?: unknown;
}

const dayMs = 86_400_000;
/** Registrations within a day: of one address, and in all. */
const maxOfAddress = 20;
const maxOfAll = 2_000;
/** How long a registration that no person has let in is kept. */
const unusedDays = 30;
const maxNameLength = 100;

/**
 * Stores a client that registered itself, and forgets those that were never let in. One with a grant is kept for ever,
 * because programs keep their registration for ever. @throws TooManyRequests
 */
export async function registerClient(
  { db, clock }: Pick<ServiceContext, 'db' | 'clock'>,
  clientId: string,
  metadata: RegisteredMetadata,
  { addressHash }: Registrant,
): Promise<void> {
  const { oauthClients } = db.identity;
  const now = clock.now();
  await db.inIdentity(async (tx) => {
    await oauthClients.removeUnused(new Date(now.getTime() - unusedDays * dayMs), tx);
    const registered = await oauthClients.countRegistered(new Date(now.getTime() - dayMs), addressHash, tx);
    if (registered.own >= maxOfAddress || registered.all >= maxOfAll) {
      throw new TooManyRequests('Too many clients have registered. Try again tomorrow.', dayMs / 1_000);
    }
    await oauthClients.insert(
      {
        clientId,
        accountId: null,
        name: text(metadata.client_name)?.slice(0, maxNameLength) ?? 'Unnamed client',
        serverUrl: text(metadata.client_uri) ?? null,
        redirectUris: metadata.redirect_uris as string[],
        scopes: text(metadata.scope)?.split(' ') ?? oauthScopes,
        isNative: metadata.application_type === 'native',
        secretHash:
          typeof metadata.client_secret === 'string' ? hashClientSecret(metadata.client_secret) : null,
        secretHint: null,
        registrantHash: addressHash,
        createdAt: now,
        updatedAt: now,
      },
      tx,
    );
  });
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}
