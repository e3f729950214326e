import type { Scope } from '../../domain/kernel/scopes.js';

export interface ProtectedResourceOptions {
  /** The public address of the endpoint, which tokens have to be for. */
  resource: string;
  /** The issuer of these tokens. */
  issuer: string;
  /** All scopes that some tool needs. */
  scopes: readonly Scope[];
}

/** The paths of the endpoint and of its metadata (RFC 9728). */
export function protectedPaths(resource: string): { path: string; metadataPath: string } {
  const { pathname: path } = new URL(resource);
  return { path, metadataPath: `/.well-known/oauth-protected-resource${path}` };
}

/** What the endpoint tells about itself to clients that have no token for it, or one that is not enough (RFC 9728). */
export class ProtectedResource {
  readonly path: string;
  readonly metadataPath: string;
  /** The document that names the authorization server. */
  readonly metadata: object;
  readonly #metadataUrl: string;
  readonly #scopes: readonly Scope[];

  constructor({ resource, issuer, scopes }: ProtectedResourceOptions) {
    const { path, metadataPath } = protectedPaths(resource);
    this.path = path;
    this.metadataPath = metadataPath;
    this.#metadataUrl = new URL(resource).origin + metadataPath;
    this.#scopes = scopes;
    this.metadata = {
      resource,
      authorization_servers: [issuer],
      scopes_supported: scopes,
      bearer_methods_supported: ['header'],
      resource_name: 'Workspace Engagement Service',
    };
  }

  /**
   * The challenge of a request without a valid token. It names all scopes: some clients cannot ask for more later
   * (decision 179), and the authorization server leaves out those that a client may not have.
   */
  challenge({ isTokenGiven }: { isTokenGiven: boolean }): string {
    return this.#bearer({ ...(isTokenGiven && { error: 'invalid_token' }), scope: this.#scopes.join(' ') });
  }

  /** The challenge of a call that needs more scopes. It names all that the next token needs: some clients replace theirs. */
  stepUp(held: Iterable<string>, needed: readonly Scope[]): string {
    const scope = [...new Set([...held, ...needed])].join(' ');
    return this.#bearer({ error: 'insufficient_scope', scope });
  }

  #bearer(parameters: Record<string, string>): string {
    const all = Object.entries({ ...parameters, resource_metadata: this.#metadataUrl });
    return `Bearer ${all.map(([name, value]) => `${name}="${value}"`).join(', ')}`;
  }
}
