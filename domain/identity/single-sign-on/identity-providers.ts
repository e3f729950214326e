/** The application that an organization has registered with its identity provider. */
export interface RegisteredClient {
  issuer: string;
  clientId: string;
  clientSecret: string;
  redirectUri: string;
}

/** What one sign-in is recognised by when the browser comes back (OpenID Connect Core 1.0, 3.1.2.1; RFC 7636). */
export interface SignInFlow {
  state: string;
  nonce: string;
  codeVerifier: string;
}

/** What an identity provider says of a person. Nothing of it is a proof outside of the organization. */
export interface ExternalClaims {
  subject: string;
  name: string | undefined;
  email: string | undefined;
  emailVerified: boolean | undefined;
}

/**
 * `unreachable`: it did not answer in time, or with an error of its own. `keys_changed`: it signs with a key that is not
 * known yet; the next attempt reads its keys again. `refused`: its answer is not one to rely on, or it has refused.
 */
export type ProviderFailure = 'unreachable' | 'keys_changed' | 'refused';

/** Talks to identity providers (`providers/identity-provider`). */
export interface IdentityProviders {
  /** The address at the provider to send a browser to. */
  begin(client: RegisteredClient, flow: SignInFlow): Promise<{ url: string } | { failure: ProviderFailure }>;
  /** Redeems what a browser has brought back in the query of the redirect URI. */
  complete(
    client: RegisteredClient,
    flow: SignInFlow,
    query: string,
  ): Promise<{ claims: ExternalClaims } | { failure: ProviderFailure }>;
}
