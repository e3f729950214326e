import Koa from 'koa';
import mount from 'koa-mount';
import Provider, { type Adapter, type AdapterPayload } from 'oidc-provider';
import pg from 'pg';
import { tokenTable } from './token-table.js';

/*
 * The floor of a token request: the library with one table, its public client and one chain of refresh tokens, which it
 * rotates as ours does; without hashes, grace, quotas, keys of several processes or log.
 */

const port = Number(process.env.PORT);
const issuer = `http://127.0.0.1:${port}`;
const resource = `${issuer}/tools`;
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
const clientId = 'floor';

class TableAdapter implements Adapter {
  constructor(readonly model: string) {}

  async upsert(id: string, payload: AdapterPayload): Promise<undefined> {
    await pool.query(
      `insert into ${tokenTable} (model, id, grant_id, payload) values ($1, $2, $3, $4)
       on conflict (model, id) do update set payload = excluded.payload`,
      [this.model, id, payload.grantId ?? null, payload],
    );
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    const { rows } = await pool.query(
      `select payload, consumed_at from ${tokenTable} where model = $1 and id = $2`,
      [this.model, id],
    );
    const [row] = rows;
    if (row === undefined) return undefined;
    return { ...row.payload, ...(row.consumed_at === null ? {} : { consumed: 1 }) };
  }

  async consume(id: string): Promise<undefined> {
    await pool.query(`update ${tokenTable} set consumed_at = now() where model = $1 and id = $2`, [
      this.model,
      id,
    ]);
  }

  async destroy(id: string): Promise<undefined> {
    await pool.query(`delete from ${tokenTable} where model = $1 and id = $2`, [this.model, id]);
  }

  async revokeByGrantId(grantId: string): Promise<undefined> {
    await pool.query(`delete from ${tokenTable} where grant_id = $1`, [grantId]);
  }

  async findByUid(): Promise<undefined> {}
  async findByUserCode(): Promise<undefined> {}
}

const provider = new Provider(issuer, {
  adapter: TableAdapter,
  clients: [
    {
      client_id: clientId,
      token_endpoint_auth_method: 'none',
      redirect_uris: ['https://client.example/callback'],
      grant_types: ['authorization_code', 'refresh_token'],
    },
  ],
  features: {
    devInteractions: { enabled: false },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => resource,
      useGrantedResource: () => true,
      getResourceServerInfo: () => ({ scope: 'data:read', audience: resource, accessTokenFormat: 'opaque' }),
    },
  },
  scopes: ['data:read'],
  findAccount: (_ctx, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
  issueRefreshToken: () => true,
  rotateRefreshToken: true,
  expiresWithSession: () => false,
});

/** A refresh token of a grant, as after a consent. */
async function firstRefreshToken(): Promise<string> {
  const client = await provider.Client.find(clientId);
  if (client === undefined) throw new Error('there is no client');
  const accountId = '1';
  const grant = new provider.Grant({ accountId, clientId });
  grant.addResourceScope(resource, 'data:read');
  const grantId = await grant.save();
  const token = new provider.RefreshToken({
    accountId,
    client,
    grantId,
    gty: 'authorization_code',
    resource,
    scope: 'data:read',
  });
  return token.save();
}

const app = new Koa();
app.use(async (ctx, next) => {
  if (ctx.path === '/') ctx.body = await firstRefreshToken();
  else await next();
});
app.use(mount(provider.app));
app.listen(port, '127.0.0.1');
