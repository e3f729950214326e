import type { IncomingHttpHeaders } from 'node:http';
import type { AccountRow } from '../../db/identity/accounts.js';
import type { AccountContext } from '../../domain/accounts/account-context.js';
import type { CommandContext, ModelsContext, ServiceContext } from '../../domain/context.js';
import { Forbidden } from '../../domain/errors.js';
import type { Permission, Scope } from '../../domain/scopes.js';
import { authenticateAccount } from '../auth/authenticate-account.js';
import { authenticateMember } from '../auth/authenticate-member.js';
import { type CarrierVerifier, checkCarrierSignature } from '../auth/check-carrier-signature.js';

/** What access is decided on. */
export interface AccessRequest {
  service: ModelsContext;
  headers: IncomingHttpHeaders;
  /** Path parameters as they stand in the path. */
  params: Readonly<Record<string, string>>;
  /** The address the caller called: public address, path and query. */
  url: string;
  /** The fields of a form body, read on demand; empty for other requests. */
  form: () => Promise<Record<string, string>>;
  carrier: CarrierVerifier | undefined;
}

/** Who may call a route. `Context` is what its handler gets; the rest is what the OpenAPI document tells. */
export interface Access<Context> {
  readonly kind: 'public' | 'optional' | 'account' | 'member' | 'carrier';
  readonly scope?: Scope;
  readonly permission?: Permission;
  /** @throws Unauthenticated, Forbidden or NotFound */
  grant(request: AccessRequest): Promise<Context>;
}

/** Anyone. */
export function publicAccess(): Access<ServiceContext> {
  return { kind: 'public', grant: async ({ service }) => service };
}

/** Anyone; the account is null for callers without credentials. Wrong credentials are refused all the same. */
export function optionalAccount(needs: {
  scope: Scope;
}): Access<ServiceContext & { account: AccountRow | null }> {
  const signedIn = signedInAccount(needs);
  return {
    kind: 'optional',
    scope: needs.scope,
    grant: async (request) =>
      request.headers.authorization === undefined
        ? { ...request.service, account: null }
        : signedIn.grant(request),
  };
}

/** Any logged-in account ("authenticated user"). Credentials that are cut down have to name the scope. */
export function signedInAccount(needs: { scope: Scope }): Access<AccountContext & ModelsContext> {
  return {
    kind: 'account',
    scope: needs.scope,
    grant: async ({ service, headers }) => {
      const caller = await authenticateAccount(service, headers);
      if (caller.credential.scopes !== null && !caller.credential.scopes.has(needs.scope)) {
        throw insufficientScope(needs.scope);
      }
      return { ...service, ...caller };
    },
  };
}

/**
 * A member of the workspace in the path. The scope is what a credential has to name, if anything; the permission is
 * what the member's role has to hold as well.
 */
export function workspaceMember(needs: { scope?: Scope; permission?: Permission }): Access<CommandContext> {
  return {
    kind: 'member',
    ...needs,
    grant: async ({ service, headers, params }) => {
      const actor = await authenticateMember(service, headers, params.workspace_uuid ?? '');
      if (needs.scope !== undefined && !actor.hasScope(needs.scope)) throw insufficientScope(needs.scope);
      if (needs.permission !== undefined) actor.require(needs.permission);
      return { ...service, actor };
    },
  };
}

/** The carrier, by the signature it puts on its requests. */
export function carrierSignature(): Access<ServiceContext> {
  return {
    kind: 'carrier',
    grant: async ({ service, headers, url, form, carrier }) => {
      const signature = headers['x-twilio-signature'];
      // What carries no signature is not the carrier's: nothing of it is read.
      const params = signature === undefined ? {} : await form();
      checkCarrierSignature(carrier, { signature, url, params });
      return service;
    },
  };
}

function insufficientScope(scope: Scope): Forbidden {
  return new Forbidden(scope, `The credential lacks the scope ${scope}.`, 'insufficient_scope');
}
