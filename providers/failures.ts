/** Whom the service asks outside. */
export type ProviderName = 'carrier' | 'model' | 'mail';

/*
 * What asking a provider can end with besides an answer. Durable runs decide by these four what comes next, so each
 * provider's own errors extend them. `code` is a code of the provider or of the connection; messages never quote
 * what a person wrote, numbers or addresses.
 */

/** The provider took nothing, and the same request would be refused again. */
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

/** The code of a refusal where the deployment has no such provider. */
export const notConfigured = 'not_configured';

/** The provider took nothing for lack of time or of a connection. The same request may succeed later. */
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

/** The request left, and whether it was taken is unknown. */
export class ProviderOutcomeUnknown extends Error {
  override readonly name: string = 'ProviderOutcomeUnknown';
  constructor(
    readonly provider: ProviderName,
    readonly code: string,
  ) {
    super(`The answer of the ${provider} was lost (${code}).`);
  }
}

/**
 * The provider took nothing because of our credential, our account or our quota. It says nothing about the request:
 * an operator has to mend the account, and then the same request may succeed.
 */
export class ProviderUnusable extends Error {
  override readonly name: string = 'ProviderUnusable';
  constructor(
    readonly provider: ProviderName,
    readonly code: string,
    readonly details: {
      /** False: other requests to the same account may succeed, such as those for another model. */
      wholeAccount?: boolean;
      /** How long to wait before asking again. */
      retryAfterMs?: number;
    } = {},
  ) {
    super(`The account at the ${provider} cannot be used (${code}).`);
  }
}
