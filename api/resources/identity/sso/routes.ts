import Type from 'typebox';
import type { IdentityProviderRow } from '../../../../db/identity/models/identity-provider.js';
import {
  beginLinking,
  beginSignOn,
  completeSignOn,
  type SignOnServices,
} from '../../../../domain/identity/single-sign-on/sign-in-by-provider.js';
import {
  getIdentityProvider as get,
  removeIdentityProvider as remove,
  setIdentityProvider as set,
} from '../../../../domain/identity/single-sign-on/sso-settings.js';
import { InvalidInput } from '../../../../domain/lib/errors.js';
import { parseUrl } from '../../../../domain/lib/parse-url.js';
import { anonymousAccess, signedInPerson } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';
import { demo } from '../../../http/demo.js';
import { Picked, Timestamp } from '../../../http/schemas.js';
import type { Services } from '../../../http/services.js';

const tag = 'Organizations';

const emailDomains = Type.Array(Type.String({ minLength: 3, maxLength: 253 }), {
  maxItems: 50,
  description:
    'Only people with addresses of these domains are let in, and members of the workspaces with their address are theirs; `[]`: everybody whom the provider knows, who then has no member yet',
});
const Issuer = Type.String({
  minLength: 8,
  maxLength: 500,
  description: 'Address of the provider, exactly as it calls itself (OpenID Connect)',
});
const ClientId = Type.String({
  minLength: 1,
  maxLength: 255,
  description: 'Id of the client at the provider',
});

const IdentityProviderResponse = Picked(
  {
    issuer: Issuer,
    clientId: ClientId,
    emailDomains,
    callbackUrl: Type.String({ description: 'The redirect URI to register at the provider' }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { $id: 'IdentityProviderResponse' },
);

const getProvider = defineRoute({
  operationId: 'getIdentityProvider',
  method: 'GET',
  path: '/organizations/{organization_uuid}/sso',
  tag,
  summary: 'Get the identity provider of an organization',
  description: 'For its owners. The secret of the client is never shown.',
  access: signedInPerson({ openToProviders: true }),
  response: { status: 200, schema: IdentityProviderResponse },
  handler: async ({ context, services, params }) =>
    presentProvider(services, params.organization_uuid, await get(context, params.organization_uuid)),
});

const setProvider = defineRoute({
  operationId: 'setIdentityProvider',
  audit: ['identity_provider:set'],
  method: 'PUT',
  path: '/organizations/{organization_uuid}/sso',
  tag,
  summary: 'Set the identity provider of an organization',
  description:
    'For its owners. The provider speaks OpenID Connect with the code flow and PKCE, and is on the public internet. It is not asked now. People whom another issuer knew are unknown to the new one.',
  access: signedInPerson({ openToProviders: true }),
  body: Type.Object(
    {
      issuer: Issuer,
      clientId: ClientId,
      clientSecret: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 500,
          description: 'Secret of the client; may be left out while issuer and client stay the same',
        }),
      ),
      emailDomains: Type.Optional(emailDomains),
    },
    { $id: 'SetIdentityProviderRequest' },
  ),
  example: {
    body: {
      issuer: demo.issuer,
      clientId: 'demo-health',
      clientSecret: 'the secret of the demo client',
      emailDomains: ['clinic.example'],
    },
  },
  response: { status: 200, schema: IdentityProviderResponse },
  handler: async ({ context, services, params, body }) => {
    const { encryption, signOn } = services;
    const uuid = params.organization_uuid;
    return presentProvider(
      services,
      uuid,
      await set({ ...context, encryption, check: signOn.check }, uuid, body),
    );
  },
});

const removeProvider = defineRoute({
  operationId: 'removeIdentityProvider',
  audit: ['identity_provider:removed'],
  method: 'DELETE',
  path: '/organizations/{organization_uuid}/sso',
  tag,
  summary: 'Remove the identity provider of an organization',
  description: 'For its owners. Sessions that began by it stay until they end.',
  access: signedInPerson({ openToProviders: true }),
  example: { once: true },
  response: { status: 204 },
  errors: { 409: 'The organization accepts nothing but its identity provider (`sso_only`).' },
  handler: async ({ context, params }) => remove(context, params.organization_uuid),
});

const returnTo = Type.String({
  minLength: 1,
  maxLength: 500,
  description: 'Where to go afterwards: a path of this service',
});
/** The page that shows a person what it may do. */
const fallback = '/home';

const start = defineRoute({
  operationId: 'startSingleSignOn',
  method: 'GET',
  path: '/o/{org}/sso/start',
  tag,
  summary: 'Sign in by the identity provider of an organization',
  description:
    'For browsers. A page of the service asks the person first, if somebody is signed in, or a page has led the browser here; otherwise, it is sent to the provider at once, which sends it back to the callback.',
  access: anonymousAccess(),
  query: Type.Object({ returnTo: Type.Optional(returnTo) }),
  response: {
    status: 303,
    redirect: true,
    description: 'The page of the service that asks, or that of the provider.',
  },
  errors: {
    503: 'The provider did not answer (`identity_provider_unavailable`); `Retry-After` says when to try again.',
  },
  handler: async ({ context, services, params, query, session: browser }) => {
    const returnTo = localPath(services, query.returnTo);
    if (context.visitor.isLedHere) {
      const asked = new URLSearchParams({ organization: params.org, return: returnTo });
      return { location: `${new URL(services.calls.apiUrl).origin}/sign-in/organization?${asked}` };
    }
    const begun = await beginSignOn({ ...context, ...signOnServices(services) }, params.org, returnTo);
    browser.keepFlow(begun.sealed, begun.seconds);
    return { location: begun.url };
  },
});

const link = defineRoute({
  operationId: 'linkSingleSignOn',
  audit: {
    not: 'nothing is linked before the identity provider has answered, which completeSingleSignOn records',
  },
  method: 'POST',
  path: '/o/{org_uuid}/sso/link',
  tag,
  summary: 'Link the account to the identity provider of an organization',
  description:
    'For a member who is signed in: open `url` in the same browser. Needs a session by a code. **What this gives away:** who runs the provider can act as this account in the organization and all its workspaces, with every right that it has there, now and later, without asking. It does not reach other workspaces, addresses, API keys or applications of the account (`session_by_provider`). An account is linked in no other way: an address that the provider says is no proof.',
  access: signedInPerson(),
  idempotent: false,
  body: Type.Object({ returnTo: Type.Optional(returnTo) }, { $id: 'LinkSingleSignOnRequest' }),
  example: { body: {} },
  response: {
    status: 200,
    schema: Type.Object(
      { url: Type.String({ description: 'The page of the provider, for the browser that asked' }) },
      { $id: 'LinkSingleSignOnResponse' },
    ),
  },
  errors: {
    403: 'This is no session by a code (`session_required`, `session_by_provider`), or of a superuser, who is not linked (`superuser_not_linked`).',
    503: 'The provider did not answer (`identity_provider_unavailable`); `Retry-After` says when to try again.',
  },
  handler: async ({ context, services, params, body, session: browser }) => {
    const path = localPath(services, body.returnTo);
    const begun = await beginLinking({ ...context, ...signOnServices(services) }, params.org_uuid, path);
    browser.keepFlow(begun.sealed, begun.seconds);
    return { url: begun.url };
  },
});

const word = (description: string) => Type.Optional(Type.String({ maxLength: 4_000, description }));

const callback = defineRoute({
  operationId: 'completeSingleSignOn',
  method: 'GET',
  path: '/o/{org_uuid}/sso/callback',
  tag,
  summary: 'Come back from the identity provider of an organization',
  description:
    'For browsers that the provider sends back. Begins a session for twelve hours, which is good in the organization and its workspaces only: for other workspaces, addresses, API keys, applications and other sessions, sign in with a code (`session_by_provider`). Whoever is unknown gets an account and becomes a plain member. The example is refused with 401: there was no sign-in before it.',
  access: anonymousAccess(),
  query: Type.Object({
    code: word('Code of the provider, good once'),
    state: word('Names the sign-in that this browser has begun'),
    iss: word('Issuer, if the provider says it (RFC 9207)'),
    error: word('Why the provider has refused'),
    error_description: word('The same in words of the provider'),
  }),
  response: { status: 303, redirect: true, description: 'Where the sign-in was to lead to.' },
  errors: {
    401: 'Signing in was refused, took too long, or was not begun by this browser (`sso_refused`).',
    403: 'The member is disabled in the organization (`member_disabled`).',
    409: 'The provider knows the person by another account than the one to link (`identity_linked`).',
    503: 'The provider did not answer, or has changed its keys (`identity_provider_unavailable`): begin again.',
  },
  handler: async ({ context, services, params, query, session: browser }) => {
    browser.dropFlow();
    const given = Object.entries(query).filter(
      (pair): pair is [string, string] => typeof pair[1] === 'string',
    );
    const known = new Set(['code', 'state', 'iss', 'error', 'error_description']);
    const search = new URLSearchParams(given.filter(([name]) => known.has(name))).toString();
    const answer = { sealed: context.visitor.signOnFlow, query: search };
    const done = await completeSignOn({ ...context, ...signOnServices(services) }, params.org_uuid, answer);
    const { session, token } = done.begun;
    browser.hold(token, Math.round((session.expiresAt.getTime() - session.createdAt.getTime()) / 1_000));
    browser.join(done.organizationToken, done.organizationSeconds);
    return { location: new URL(services.calls.apiUrl).origin + done.returnTo };
  },
});

export function signOnServices({ encryption, signOn, calls }: Services): SignOnServices {
  const redirectUriOf = (uuid: string) => callbackUrl(calls.apiUrl, uuid);
  return { encryption, providers: signOn.providers, redirectUriOf };
}

function callbackUrl(apiUrl: string, organizationUuid: string): string {
  return `${apiUrl}/o/${organizationUuid}/sso/callback`;
}

/** Only a path of this service: the sign-in leads nowhere else. @throws InvalidInput */
function localPath({ calls }: Services, path = fallback): string {
  const { origin } = new URL(calls.apiUrl);
  // Browsers leave out tabs and line breaks, and take a backslash for a slash.
  const isPath = /^\/(?!\/)[^\s\\\p{Cc}]*$/u.test(path);
  if (isPath && parseUrl(origin + path)?.origin === origin) return path;
  throw InvalidInput.field('/returnTo', 'must be a path of this service, such as /account');
}

function presentProvider(
  { calls }: Services,
  uuid: string,
  provider: Omit<IdentityProviderRow, 'organizationId' | 'clientSecret'>,
) {
  return { ...provider, callbackUrl: callbackUrl(calls.apiUrl, uuid.toLowerCase()) };
}

export const ssoRoutes = [getProvider, setProvider, removeProvider, start, link, callback];
