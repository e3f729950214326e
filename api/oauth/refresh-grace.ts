import { hashOfIssued } from '../../domain/identity/oauth/hash-of-issued.js';
import type { ServiceContext } from '../../domain/kernel/context.js';
import type { Encryption } from '../../domain/lib/encryption.js';
import { graceMs } from './adapter.js';
import type { OAuthQuotas } from './oauth-quotas.js';
import type { GrantHandler } from './provider.js';

interface GraceContext extends Pick<ServiceContext, 'db' | 'clock'> {
  encryption: Encryption;
  quotas: OAuthQuotas;
}

/**
 * Answers a repeated refresh with the tokens of the first one for half a minute, so that a client that lost the answer, or
 * refreshed twice at once, is not signed out (decision 173). Later, a used token ends its grant: it was stolen.
 */
export function withGrace(
  { db, clock, encryption, quotas }: GraceContext,
  handler: GrantHandler,
): GrantHandler {
  const { oauthArtifacts } = db.identity;
  return async (ctx) => {
    const token = ctx.oidc.params?.refresh_token;
    const clientId = ctx.oidc.client?.clientId;
    if (typeof token !== 'string' || clientId === undefined) return handler(ctx);
    const hash = hashOfIssued(token);
    const now = clock.now();
    const [kept, used] = await Promise.all([
      oauthArtifacts.findReplay(hash, clientId, now),
      oauthArtifacts.find('RefreshToken', hash),
    ]);
    if (kept !== undefined) {
      ctx.body = JSON.parse(encryption.decrypt(kept.answer, contextOf(hash)));
      return;
    }
    if (used?.payload.clientId === clientId) await quotas.takeRefresh(String(used.payload.grantId));
    await handler(ctx);
    const grantId = ctx.oidc.entities.Grant?.jti;
    if (grantId === undefined) return;
    await oauthArtifacts.keepReplay({
      hash,
      clientId,
      grantId,
      answer: encryption.encrypt(JSON.stringify(ctx.body), contextOf(hash)),
      expiresAt: new Date(now.getTime() + graceMs),
    });
  };
}

function contextOf(hash: Buffer): string {
  return `OAuth refresh ${hash.toString('hex')}`;
}
