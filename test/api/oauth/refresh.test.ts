import { afterEach, describe, expect, it } from 'vitest';
import { hashOfIssued } from '../../../domain/identity/oauth/hash-of-issued.js';
import { useOAuth } from '../../support/api/use-oauth.js';
import { type DyingConnections, dyingConnections } from '../../support/faults/dying-connections.js';
import { MovedClock, minutes } from '../../support/lib/moved-clock.js';

const clock = new MovedClock();
const oauth = useOAuth({ clock });
let connections: DyingConnections | undefined;
afterEach(() => connections?.restore());

/** The messages to the database of a refresh by a public client: the client, what is there, and what is stored. */
const messages = 3;

type Tokens = Record<string, string>;

async function connected() {
  const { client } = await oauth.addApplication({ confidential: false });
  const { tokens } = await oauth.connect(client);
  const refresh = async (token: string) => {
    const response = await client.refresh(token);
    return { status: response.status, body: (await response.json()) as Tokens };
  };
  return { client, first: tokens.refresh_token ?? '', refresh };
}

describe('a refresh', () => {
  it('takes three messages to the database, and a fourth that nobody waits for', async () => {
    const { first, refresh } = await connected();
    let { body } = await refresh(first);
    connections = dyingConnections();
    const taken: number[] = [];
    // The process may be asking for something else meanwhile.
    for (let time = 1; time <= 3; time += 1) {
      connections.dieAt(0, 'before');
      ({ body } = await refresh(body.refresh_token ?? ''));
      taken.push(connections.sent - messages);
    }
    expect(Math.min(...taken)).toBeGreaterThanOrEqual(0);
    expect(Math.min(...taken)).toBeLessThanOrEqual(1);
  });

  it.each([
    ['before its tokens are stored', 'before'],
    ['after its tokens are stored, and before it is answered', 'after'],
  ] as const)('whose process dies %s is repeated, and its successor is found', async (_when, moment) => {
    const { first, refresh } = await connected();
    connections = dyingConnections();
    connections.dieAt(messages, moment);
    expect((await refresh(first)).status).toBe(500);
    connections.restore();
    const again = await refresh(first);
    expect(again.status).toBe(200);
    expect(await oauth.readChats(again.body.access_token ?? '')).toMatchObject({ status: 200 });
    expect(await refresh(first)).toEqual(again);
    expect((await refresh(again.body.refresh_token ?? '')).status).toBe(200);
  });

  it('that fails uses no token', async () => {
    const { client, first, refresh } = await connected();
    const changed = await client.refresh(first, { resource: client.resource.mcp });
    expect(changed.status).toBe(400);
    clock.advance(minutes(1));
    expect((await refresh(first)).status).toBe(200);
  });

  it('leaves one successor of many that come at once, and all get it', async () => {
    const { first, refresh } = await connected();
    const answers = await Promise.all(Array.from({ length: 8 }, () => refresh(first)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ body }) => body.refresh_token)).size).toBe(1);
  });

  it('waits for a process of an earlier release that has used the token and not answered yet', async () => {
    const { first, refresh } = await connected();
    const { oauthArtifacts } = oauth.db().identity;
    await oauthArtifacts.consume('RefreshToken', hashOfIssued(first), clock.now());
    expect(await refresh(first)).toMatchObject({ status: 503, body: { error: 'temporarily_unavailable' } });
    clock.advance(minutes(1));
    expect(await refresh(first)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  });

  it('is refused once the person is disabled or the grant has ended', async () => {
    const { client, first, refresh } = await connected();
    await client.revoke(first);
    expect(await refresh(first)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    const other = await connected();
    const { accountId } = oauth.workspace.admin;
    await oauth.db().identity.accounts.update(accountId, { enabled: false });
    expect(await other.refresh(other.first)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    await oauth.db().identity.accounts.update(accountId, { enabled: true });
    expect((await other.refresh(other.first)).status).toBe(200);
  });
});
