/** The external systems that the service calls. */
export type ProviderName = 'carrier' | 'model' | 'mail';

/*
 * Durable runs decide by these four classes what to do next, so each provider's own errors extend them. `code` is the
 * provider's or the connection's; messages never quote text written by a person, phone numbers or addresses.
 */

/** The provider processed nothing, and would refuse the same request again. */
export class ProviderRefused extends Error {
  override readonly name: string = 'ProviderRefused';
  constructor(
    readonly provider: ProviderName,
    readonly code: string,
    message = `The ${provider} refused the request (${code}).`,
  ) {
    super(message);
  }
}

/** The code of a refusal if no such provider is configured. */
export const notConfigured = 'not_configured';

/** The provider processed nothing, for lack of capacity or of a connection. The same request may succeed later. */
export class ProviderBusy extends Error {
  override readonly name: string = 'ProviderBusy';
  constructor(
    readonly provider: ProviderName,
    readonly code: string,
    /** How long the provider asked to wait. */
    readonly retryAfterMs?: number,
  ) {
    super(`The ${provider} could not take the request (${code}).`);
  }
}

/** The request was sent, and it is unknown whether the provider processed it. */
export class ProviderOutcomeUnknown extends Error {
  override readonly name: string = 'ProviderOutcomeUnknown';
  constructor(
    readonly provider: ProviderName,
    readonly code: string,
  ) {
    super(`The answer of the ${provider} was lost (${code}).`);
  }
}

/** The provider processed nothing because of the credential, the account or its quota, which an operator can fix. */
export class ProviderUnusable extends Error {
  override readonly name: string = 'ProviderUnusable';
  constructor(
    readonly provider: ProviderName,
    readonly code: string,
    readonly details: {
      /** False if other requests to the same account may succeed, such as those for another model. */
      wholeAccount?: boolean;
      /** How long to wait before the next request. */
      retryAfterMs?: number;
    } = {},
  ) {
    super(`The account at the ${provider} cannot be used (${code}).`);
  }
}
