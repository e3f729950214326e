import * as oauth from 'oauth4webapi';
import type { TestApi } from './api.js';
import { formsOf, type PageVisitor, type ShownPage } from './page-visitor.js';

/** A client that goes through the code flow by `oauth4webapi`, over plain HTTP on the loopback. */
export interface OAuthClientSettings {
  clientId: string;
  secret?: string | null;
  redirectUri: string;
}

const insecure = { [oauth.allowInsecureRequests]: true } as const;

export class TestOAuthClient {
  readonly #client: oauth.Client;
  readonly #auth: oauth.ClientAuth;
  #server: oauth.AuthorizationServer | undefined;

  constructor(
    readonly api: Pick<TestApi, 'baseUrl'>,
    readonly settings: OAuthClientSettings,
  ) {
    this.#client = { client_id: settings.clientId };
    this.#auth = settings.secret == null ? oauth.None() : oauth.ClientSecretBasic(settings.secret);
  }

  get resource() {
    const api = `${this.api.baseUrl}/api/v2`;
    return { api, mcp: `${api}/mcp` };
  }

  async server(): Promise<oauth.AuthorizationServer> {
    const issuer = new URL(`${this.api.baseUrl}/api/v2/oauth`);
    this.#server ??= await oauth.processDiscoveryResponse(
      issuer,
      await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure }),
    );
    return this.#server;
  }

  /** The path of an authorization request, with what the client keeps for its answer. */
  async begin(asked: Record<string, string | undefined> = {}) {
    const { authorization_endpoint = '' } = await this.server();
    const verifier = oauth.generateRandomCodeVerifier();
    const state = oauth.generateRandomState();
    const url = new URL(authorization_endpoint);
    const parameters: Record<string, string | undefined> = {
      client_id: this.settings.clientId,
      response_type: 'code',
      redirect_uri: this.settings.redirectUri,
      scope: 'chats:read',
      resource: this.resource.api,
      state,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      ...asked,
    };
    for (const [name, value] of Object.entries(parameters))
      if (value !== undefined) url.searchParams.set(name, value);
    return { path: url.pathname + url.search, verifier, state };
  }

  /** Has a person who is signed in consent. @returns the page at the end: the redirect to the client */
  async consent(visitor: PageVisitor, path: string, fields: Record<string, string>): Promise<ShownPage> {
    const asked = await visitor.follow(await visitor.get(path));
    const action = formsOf(asked.text).find((form) => form.action.includes('/consent/'))?.action;
    if (action === undefined) return asked;
    return visitor.follow(await visitor.submit(asked, action, { decision: 'allow', ...fields }));
  }

  async exchange(
    location: string,
    { verifier, state }: { verifier: string; state: string },
  ): Promise<oauth.TokenEndpointResponse> {
    const server = await this.server();
    const parameters = oauth.validateAuthResponse(server, this.#client, new URL(location), state);
    const answer = await oauth.authorizationCodeGrantRequest(
      server,
      this.#client,
      this.#auth,
      parameters,
      this.settings.redirectUri,
      verifier,
      insecure,
    );
    return oauth.processAuthorizationCodeResponse(server, this.#client, answer);
  }

  async refresh(token: string, parameters: Record<string, string> = {}): Promise<Response> {
    return oauth.refreshTokenGrantRequest(await this.server(), this.#client, this.#auth, token, {
      ...insecure,
      additionalParameters: parameters,
    });
  }

  async revoke(token: string): Promise<Response> {
    return oauth.revocationRequest(await this.server(), this.#client, this.#auth, token, insecure);
  }

  async introspect(token: string): Promise<Response> {
    return oauth.introspectionRequest(await this.server(), this.#client, this.#auth, token, insecure);
  }
}
