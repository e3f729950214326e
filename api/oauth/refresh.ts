import type { KoaContextWithOIDC, Provider } from 'oidc-provider';
import type { StoredAccessToken } from '../../db/identity/oauth-access-tokens.js';
import type { OAuthArtifact } from '../../db/identity/oauth-artifacts.js';
import type { FoundRefresh } from '../../db/identity/oauth-refreshes.js';
import { hashOfIssued } from '../../domain/identity/oauth/hash-of-issued.js';
import type { ServiceContext } from '../../domain/kernel/context.js';
import type { Encryption } from '../../domain/lib/encryption.js';
import { RefreshInProgress } from './oauth-errors.js';
import type { OAuthQuotas } from './oauth-quotas.js';

export type GrantHandler = Parameters<Provider['registerGrantType']>[1];

/** One use of a refresh token: what was found for it, and what the authorization server stores of it at its end. */
export interface Refresh {
  /** Of the token that is used. */
  readonly hash: Buffer;
  readonly found: FoundRefresh;
  successor: OAuthArtifact | undefined;
  accessToken: StoredAccessToken | undefined;
}

interface RefreshContext extends Pick<ServiceContext, 'db' | 'clock'> {
  encryption: Encryption;
  quotas: OAuthQuotas;
}

/** For how long a refresh may be repeated, by a client that lost the answer. */
const graceMs = 30_000;

const refreshes = new WeakMap<object, Refresh>();

/** The refresh that a request asks for; undefined for other requests. */
export function refreshOf(ctx: KoaContextWithOIDC): Refresh | undefined {
  return refreshes.get(ctx.oidc);
}

/**
 * Reads what a refresh needs at once, and stores its tokens and its answer at once, so that what has used the token can be
 * answered again. A refresh that is repeated within half a minute gets the tokens of the first one, so that
 * a client that lost the answer, or refreshed twice at once, is not signed out (decision 173). Later, a used token ends
 * its grant: it was stolen.
 */
export function performingRefreshes(context: RefreshContext, handler: GrantHandler): GrantHandler {
  const { db, clock, encryption, quotas } = context;
  const { oauthRefreshes } = db.identity;
  return async (ctx) => {
    const token = ctx.oidc.params?.refresh_token;
    const clientId = ctx.oidc.client?.clientId;
    if (typeof token !== 'string' || clientId === undefined) return handler(ctx);
    const hash = hashOfIssued(token);
    const now = clock.now();
    const answered = ({ answer }: FoundRefresh): boolean => {
      if (answer !== undefined) ctx.body = JSON.parse(encryption.decrypt(answer, contextOf(hash)));
      return answer !== undefined;
    };
    const found = await oauthRefreshes.find(hash, clientId, now);
    if (answered(found)) return;
    if (found.token?.payload.clientId === clientId) {
      await quotas.takeRefresh(String(found.token.payload.grantId));
      refuseWithinGrace(found.token.consumedAt, now);
    }
    const refresh: Refresh = { hash, found, successor: undefined, accessToken: undefined };
    refreshes.set(ctx.oidc, refresh);
    await handler(ctx);
    const { successor, accessToken } = refresh;
    if (successor === undefined || accessToken === undefined) throw new Error('a refresh gives two tokens');
    const isUsed = await oauthRefreshes.carryOut({
      hash,
      clientId,
      usedAt: now,
      successor,
      accessToken,
      answer: encryption.encrypt(JSON.stringify(ctx.body), contextOf(hash)),
      answerExpiresAt: new Date(now.getTime() + graceMs),
    });
    if (isUsed || answered(await oauthRefreshes.find(hash, clientId, now))) return;
    throw new RefreshInProgress();
  };
}

/** A token that a process of an earlier release has just used was not stolen: its answer is about to be kept. */
function refuseWithinGrace(consumedAt: Date | null, now: Date): void {
  if (consumedAt !== null && now.getTime() - consumedAt.getTime() < graceMs) throw new RefreshInProgress();
}

function contextOf(hash: Buffer): string {
  return `OAuth refresh ${hash.toString('hex')}`;
}
