import type { Adapter, AdapterPayload } from 'oidc-provider';
import type { OAuthClientRow } from '../../db/identity/models/oauth-client.js';
import type { GrantRevoker } from '../../db/identity/models/oauth-grant.js';
import type { RefreshedGrant } from '../../db/identity/oauth-refreshes.js';
import { endGrant, forgetExpired } from '../../domain/identity/oauth/grants.js';
import { hashOfIssued } from '../../domain/identity/oauth/hash-of-issued.js';
import { problemOfRedirectUri } from '../../domain/identity/oauth/redirect-uris.js';
import { type Registrant, registerClient } from '../../domain/identity/oauth/register-client.js';
import type { RequestSource } from '../../domain/kernel/audit/record-audit.js';
import type { ServiceContext } from '../../domain/kernel/context.js';
import { errors } from './library.js';
import { withOAuthErrors } from './oauth-errors.js';
import type { Refresh } from './refresh.js';

export interface AdapterContext extends Pick<ServiceContext, 'db' | 'clock'> {
  /** Who registers a client in the request that is being answered. */
  registrant(): Registrant;
  /** The refresh that is being answered. */
  refresh(): Refresh | undefined;
  /** Who ends a grant in the request that is being answered. */
  revoker(): GrantRevoker;
  /** Where the request that is being answered came from. */
  source(): RequestSource | undefined;
}

/** How the authorization server stores what it issues: by SHA-256 of ids that are secrets of their holders. */
export function adapterFor(context: AdapterContext): (model: string) => Adapter {
  return (model) => {
    if (model === 'Client') return new ClientAdapter(context);
    if (model === 'Grant') return new GrantAdapter(context);
    if (model === 'AccessToken') return new AccessTokenAdapter(context);
    return new ArtifactAdapter(context, model);
  };
}

/** What is stored here is neither found by a code of a device, nor by a uid, unless a subclass says otherwise. */
abstract class BaseAdapter implements Adapter {
  constructor(protected readonly context: AdapterContext) {}

  abstract upsert(id: string, payload: AdapterPayload, expiresIn: number): Promise<undefined>;
  abstract find(id: string): Promise<AdapterPayload | undefined>;
  abstract destroy(id: string): Promise<undefined>;

  async consume(_id: string): Promise<undefined> {}

  async findByUid(_uid: string): Promise<AdapterPayload | undefined> {
    return undefined;
  }

  async findByUserCode(_code: string): Promise<undefined> {}

  async revokeByGrantId(_grantId: string): Promise<undefined> {}

  protected expiresAt(seconds: number): Date {
    return new Date(this.context.clock.now().getTime() + seconds * 1_000);
  }
}

/** Codes, refresh tokens, sessions and interactions. */
class ArtifactAdapter extends BaseAdapter {
  constructor(
    context: AdapterContext,
    readonly model: string,
  ) {
    super(context);
  }

  get #table() {
    return this.context.db.identity.oauthArtifacts;
  }

  #refresh(): Refresh | undefined {
    return this.model === 'RefreshToken' ? this.context.refresh() : undefined;
  }

  async upsert(id: string, payload: AdapterPayload, expiresIn: number): Promise<undefined> {
    // The id is the secret itself, so it is taken out of what is stored, and put back when it is presented.
    const { jti: _, uid, ...rest } = payload;
    const uidHash = this.model === 'Session' && uid !== undefined ? hashOfIssued(uid) : null;
    const artifact = {
      model: this.model,
      hash: hashOfIssued(id),
      grantId: payload.grantId ?? null,
      accountId: payload.accountId === undefined ? null : Number(payload.accountId),
      uidHash,
      payload: this.model === 'Session' ? { ...rest, uid } : rest,
      expiresAt: this.expiresAt(expiresIn),
    };
    const refresh = this.#refresh();
    if (refresh === undefined) await this.#table.upsert(artifact);
    else refresh.successor = artifact;
    // Requests that nobody finishes leave only these, so that each new one removes old ones.
    if (this.model === 'Interaction') await forgetExpired(this.context);
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    const hash = hashOfIssued(id);
    const refresh = this.#refresh();
    const found = refresh?.hash.equals(hash) ? refresh.found.token : await this.#table.find(this.model, hash);
    if (found === undefined) return undefined;
    const { payload, consumedAt } = found;
    const consumed = consumedAt === null ? {} : { consumed: Math.floor(consumedAt.getTime() / 1_000) };
    return { ...payload, ...consumed, jti: id } as AdapterPayload;
  }

  override async findByUid(uid: string): Promise<AdapterPayload | undefined> {
    const found = await this.#table.findByUid(this.model, hashOfIssued(uid));
    // The session's own id stays unknown: who asks by uid only compares the account.
    return found && ({ ...found.payload, jti: uid } as AdapterPayload);
  }

  /** The first of concurrent requests uses it; a refresh does so at its end. @throws InvalidGrant for the others */
  override async consume(id: string): Promise<undefined> {
    if (this.#refresh() !== undefined) return;
    const now = this.context.clock.now();
    if (await this.#table.consume(this.model, hashOfIssued(id), now)) return;
    throw new errors.InvalidGrant('it was used by another request at the same time');
  }

  async destroy(id: string): Promise<undefined> {
    await this.#table.delete(this.model, hashOfIssued(id));
  }

  override async revokeByGrantId(grantId: string): Promise<undefined> {
    await this.#table.deleteOfGrants([grantId], this.model);
  }
}

class AccessTokenAdapter extends BaseAdapter {
  get #table() {
    return this.context.db.identity.oauthAccessTokens;
  }

  async upsert(id: string, payload: AdapterPayload, expiresIn: number): Promise<undefined> {
    const { jti: _, ...rest } = payload;
    const { grantId, clientId, scope, aud } = payload;
    if (grantId === undefined || clientId === undefined || typeof aud !== 'string') {
      throw new errors.InvalidTarget('an access token is for one resource');
    }
    const token = {
      hash: hashOfIssued(id),
      grantId,
      clientId,
      scopes: (scope ?? '').split(' ').filter((one) => one !== ''),
      resource: aud,
      payload: rest,
      expiresAt: this.expiresAt(expiresIn),
    };
    const refresh = this.context.refresh();
    if (refresh === undefined) await this.#table.insert(token);
    else refresh.accessToken = token;
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    const found = await this.#table.find(hashOfIssued(id));
    return found && ({ ...found.payload, jti: id } as AdapterPayload);
  }

  async destroy(id: string): Promise<undefined> {
    await this.#table.delete(hashOfIssued(id));
  }

  override async revokeByGrantId(grantId: string): Promise<undefined> {
    await this.#table.deleteOfGrants([grantId]);
  }
}

/** Grants are written by the consent (`giveGrant`); the authorization server only reads and ends them. */
class GrantAdapter extends BaseAdapter {
  async upsert(): Promise<undefined> {
    throw new Error('A grant is given by the consent of a person, not by the authorization server.');
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    const known = this.context.refresh()?.found.grant;
    const grant = known?.grantId === id ? known : await this.context.db.identity.oauthGrants.find(id);
    return grant === undefined || grant.revokedAt !== null ? undefined : payloadOfGrant(grant);
  }

  async destroy(id: string): Promise<undefined> {
    const { context } = this;
    await endGrant(context, id, { revoker: context.revoker(), source: context.source() });
  }
}

function payloadOfGrant(grant: Omit<RefreshedGrant, 'accountEnabled'>): AdapterPayload {
  const scope = grant.scopes.join(' ');
  return {
    jti: grant.grantId,
    kind: 'Grant',
    iat: Math.floor(grant.createdAt.getTime() / 1_000),
    exp: Math.floor(grant.expiresAt.getTime() / 1_000),
    accountId: String(grant.accountId),
    clientId: grant.clientId,
    resources: { [grant.resource]: scope },
    openid: { scope: `openid ${scope}` },
  } as unknown as AdapterPayload;
}

class ClientAdapter extends BaseAdapter {
  async upsert(id: string, payload: AdapterPayload): Promise<undefined> {
    for (const uri of (payload as { redirect_uris?: string[] }).redirect_uris ?? []) {
      const problem = problemOfRedirectUri(uri);
      if (problem !== undefined) throw new errors.InvalidClientMetadata(`redirect_uris ${problem}`);
    }
    await withOAuthErrors(() => registerClient(this.context, id, payload, this.context.registrant()));
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    const client = await this.context.db.identity.oauthClients.findByClientId(id);
    return client && clientMetadata(client);
  }

  async destroy(): Promise<undefined> {
    throw new Error('A client is deleted by the account that created it.');
  }
}

/** The secret is compared by its hash (`OAuthProvider`), so the metadata only say that there is one. */
const hashed = 'hashed';

export function clientMetadata(client: OAuthClientRow): AdapterPayload {
  const isConfidential = client.secretHash !== null;
  return {
    client_id: client.clientId,
    client_name: client.name,
    application_type: client.isNative ? 'native' : 'web',
    redirect_uris: client.redirectUris,
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    scope: ['openid', ...client.scopes].join(' '),
    ...(client.serverUrl === null ? {} : { client_uri: client.serverUrl }),
    ...(isConfidential
      ? {
          client_secret: hashed,
          client_secret_expires_at: 0,
          token_endpoint_auth_method: 'client_secret_basic',
        }
      : { token_endpoint_auth_method: 'none' }),
  } as AdapterPayload;
}
