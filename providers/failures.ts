export type ProviderName = 'carrier' | 'model' | 'mail' | 'storage';

/**
 * A failed request. Durable runs decide by its four classes what to do next, so each provider's own errors extend them.
 * `code` is the provider's or the connection's; messages never quote a person's text, phone numbers or addresses.
 */
export abstract class ProviderFailure extends Error {
  constructor(
    readonly provider: ProviderName,
    readonly code: string,
    message: string,
  ) {
    super(message);
    this.name = new.target.name;
  }
}

/** The provider processed nothing, and would refuse the same request again. */
export class ProviderRefused extends ProviderFailure {
  constructor(provider: ProviderName, code: string, message?: string) {
    super(provider, code, message ?? `The ${provider} refused the request (${code}).`);
  }
}

/** The code of a refusal if no such provider is configured. */
export const notConfigured = 'not_configured';

/** The code of a provider that takes fewer requests for the time being. */
export const tooManyRequests = 'http_429';

/** The provider processed nothing, for lack of capacity or of a connection. The same request may succeed later. */
export class ProviderBusy extends ProviderFailure {
  /** @param retryAfterMs how long the provider asked to wait */
  constructor(
    provider: ProviderName,
    code: string,
    readonly retryAfterMs?: number,
  ) {
    super(provider, code, `The ${provider} could not take the request (${code}).`);
  }
}

/** The request was sent, and it is unknown whether the provider processed it. */
export class ProviderOutcomeUnknown extends ProviderFailure {
  constructor(provider: ProviderName, code: string) {
    super(provider, code, `The answer of the ${provider} was lost (${code}).`);
  }
}

/** The provider processed nothing because of the credential, the account or its quota, which an operator can fix. */
export class ProviderUnusable extends ProviderFailure {
  constructor(
    provider: ProviderName,
    code: string,
    readonly details: {
      /** False if other requests to the same account may succeed, such as those for another model. */
      wholeAccount?: boolean;
      retryAfterMs?: number;
    } = {},
  ) {
    super(provider, code, `The account at the ${provider} cannot be used (${code}).`);
  }
}

/**
 * The request could not be made because of a fault of this program. Nothing was sent, and waiting mends nothing: the step
 * fails, and after its attempts a colleague is alerted.
 */
export class ProviderFault extends ProviderFailure {
  /** @param code Node's, such as `ERR_INVALID_PROTOCOL` */
  constructor(provider: ProviderName, code: string) {
    super(provider, code, `The request to the ${provider} could not be made (${code}).`);
  }
}

/** Node's code of a fault of this program, such as an argument that Node refuses; undefined for every other error. */
export function faultCodeOf(error: unknown): string | undefined {
  let cause = error;
  while (cause instanceof Error && cause.cause instanceof Error) cause = cause.cause;
  if (!(cause instanceof TypeError || cause instanceof RangeError) || !('code' in cause)) return undefined;
  return typeof cause.code === 'string' && /^ERR_[A-Z0-9_]{1,60}$/.test(cause.code) ? cause.code : undefined;
}
