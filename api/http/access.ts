import type { AccountRow } from '../../db/identity/models/account.js';
import type { EnteredTx } from '../../db/tx.js';
import {
  type OpenedInbox,
  openInbox,
  openInboxBySignature,
} from '../../domain/channels/inboxes/open-inbox.js';
import type { InboxContext } from '../../domain/conversations/emails/accept-email.js';
import type { AnonymousContext } from '../../domain/identity/sessions/anonymous-context.js';
import type { SessionsContext } from '../../domain/identity/sessions/open-sessions.js';
import {
  type AccountContext,
  type AccountCredential,
  requireOwnCredential,
  requireSession,
  requireSuperuser,
} from '../../domain/kernel/account-context.js';
import type { Actor } from '../../domain/kernel/actor.js';
import type {
  CommandContext,
  ModelsContext,
  OutreachContext,
  ServiceContext,
  VisitContext,
} from '../../domain/kernel/context.js';
import type { Permission, Scope } from '../../domain/kernel/scopes.js';
import { DomainError, Forbidden, NotFound, Unauthenticated } from '../../domain/lib/errors.js';
import {
  enterAsVisitor,
  enterSite,
  type GuestContext,
  type VisitorContext,
} from '../../domain/sites/visitors/visitor-context.js';
import { authenticateCaller, type Caller } from '../auth/authenticate-caller.js';
import { authenticateMember, isUuid } from '../auth/authenticate-member.js';
import { type CarrierPlace, checkCarrierPath } from '../auth/check-carrier-path.js';
import { checkCarrierSignature, isWellFormedSignature } from '../auth/check-carrier-signature.js';
import { checkOriginIfTold, checkOriginOfWrite, type RequestOrigin } from '../auth/check-origin.js';
import { bearerToken } from '../auth/credentials.js';
import { deviceTokenIn, sessionTokenIn, signOnFlowIn } from '../auth/session-cookie.js';
import type { Services } from './services.js';
import { inboxSecretHeader, type UploadedFile } from './uploads/uploaded-file.js';

/** The parts of a request that an access check needs. */
export interface AccessRequest extends RequestOrigin {
  context: ModelsContext;
  services: Services;
  /** As they appear in the path. */
  params: Readonly<Record<string, string>>;
  /** As the caller requested it: public URL, path and query. */
  url: string;
  /** Returns the fields of a form body, which is read on demand; empty for other requests. */
  form: () => Promise<Record<string, string>>;
  /** Receives the body, of a route whose body is a file. */
  file: () => Promise<UploadedFile | undefined>;
  address: string;
  /** The name of the public path below which the request came. */
  publicPath: string | undefined;
  /** Called once the caller is known, whether or not it may do what it asks. */
  identified?: (caller: object) => void;
  /** The route's queries to send with authentication, where the caller is a member. */
  prefetch: ((tx: EnteredTx) => Promise<unknown>) | undefined;
}

/** Decides about the callers of a route. `Context` is what its handler gets; the other fields are documented. */
export interface Access<Context> {
  readonly kind:
    | 'public'
    | 'visitor'
    | 'site-visitor'
    | 'optional'
    | 'account'
    | 'session'
    | 'member'
    | 'carrier'
    | 'inbox';
  readonly scope?: Scope;
  readonly permission?: Permission;
  /**
   * Whether a session that the identity provider of an organization has begun is good here: in the workspaces of the
   * organization, at its own addresses, and for what is the same for everybody. Without it, the caller needs another
   * credential (`session_by_provider`).
   */
  readonly openToProviders?: true;
  /** Pages of other origins call it without a credential: those of the site's domain, and those that the workspace allows. */
  readonly forPages?: true;
  /** @throws Unauthenticated, Forbidden or NotFound */
  grant(request: AccessRequest): Promise<Context>;
  /** Decides about a member who is authenticated already. Only members' routes have it. @throws Forbidden */
  admit?(context: ModelsContext, actor: Actor): Context;
}

export function publicAccess(): Access<ServiceContext> {
  return { kind: 'public', grant: async ({ context }) => context };
}

/** Allows any caller, for routes that sign in or out. */
export function anonymousAccess(): Access<AnonymousContext> {
  return {
    kind: 'visitor',
    grant: async (request) => {
      const context = visitorContext(request);
      if (context.visitor.sessionToken === undefined) checkOriginIfTold(request);
      else checkOriginOfWrite(request);
      return context;
    },
  };
}

/** Whether a page has led the browser to this address: `none` is what a person types, and what is absent is no browser of today. */
function isLed({ 'sec-fetch-site': site = 'none', referer }: AccessRequest['headers']): boolean {
  return site !== 'none' || referer !== undefined;
}

function visitorContext({ context, services, headers, address, source }: AccessRequest): AnonymousContext {
  const sessionToken = headers.authorization === undefined ? sessionTokenIn(headers) : undefined;
  const deviceToken = deviceTokenIn(headers);
  const visitor = {
    address,
    userAgent: headers['user-agent'],
    sessionToken,
    deviceToken,
    signOnFlow: signOnFlowIn(headers),
    isLedHere: sessionTokenIn(headers) !== undefined || isLed(headers),
    requestId: source?.requestId,
  };
  return { ...context, secret: services.loginSecret, policy: services.policy, visitor };
}

/** For what a session by the identity provider of an organization is good for, too. */
type OpenToProviders = Pick<Access<unknown>, 'openToProviders'>;

/** Allows an account with a session, never an API key: for how the person signs in. */
export function signedInPerson(open: OpenToProviders = {}): Access<AccountContext & AnonymousContext> {
  return {
    kind: 'session',
    ...open,
    grant: async (request) => {
      const context = accountContext(request, await knownCaller(request, open));
      if (context.credential.kind !== 'session') requireSession(context);
      return { ...visitorContext(request), ...context };
    },
  };
}

/**
 * Authenticates the caller. A session by the identity provider of an organization is refused, unless the route is open to it:
 * then it is good at the addresses of that organization, and at those that name none. @throws Forbidden, NotFound
 */
async function knownCaller(request: AccessRequest, open: OpenToProviders): Promise<Caller> {
  const caller = await authenticateCaller(request.context, request);
  request.identified?.(caller);
  if (open.openToProviders !== true) requireOwnCredential(caller.credential);
  const { organization_uuid: organization, org_uuid: named = organization } = request.params;
  const { organizationUuid = null } = caller;
  if (organizationUuid !== null && named !== undefined && named.toLowerCase() !== organizationUuid) {
    throw new NotFound('Organization');
  }
  return caller;
}

/**
 * Allows any caller. The account is null without credentials, and for an invalid session cookie, because browsers send
 * cookies by themselves. Invalid credentials in `Authorization` are refused.
 */
export function optionalAccount(
  needs: { scope: Scope } & OpenToProviders,
): Access<ServiceContext & { account: AccountRow | null; credential?: AccountCredential }> {
  return {
    kind: 'optional',
    ...needs,
    grant: async (request) => {
      const { context, headers } = request;
      const isExplicit = headers.authorization !== undefined;
      if (!isExplicit && sessionTokenIn(headers) === undefined) return { ...context, account: null };
      try {
        const { account, credential } = await callerWithScope(request, needs);
        return { ...context, account, credential };
      } catch (error) {
        if (!isExplicit && error instanceof Unauthenticated) return { ...context, account: null };
        throw error;
      }
    },
  };
}

/** Allows any account ("authenticated user"). A credential that is restricted to scopes must have this scope. */
export function signedInAccount(
  needs: { scope: Scope } & OpenToProviders,
): Access<AccountContext & ModelsContext> {
  return {
    kind: 'account',
    ...needs,
    grant: async (request) => accountContext(request, await callerWithScope(request, needs)),
  };
}

/** Allows a superuser with a session, never an API key. */
export function superuserAccess(): Access<AccountContext> {
  return {
    kind: 'session',
    grant: async (request) => {
      const context = accountContext(request, await knownCaller(request, {}));
      requireSuperuser(context);
      return context;
    },
  };
}

/** Allows an account or a member, for its own sessions. */
export function sessionOwner(needs: { scope: Scope }): Access<SessionsContext> {
  return {
    kind: 'account',
    scope: needs.scope,
    grant: async (request) => {
      const { owner, credential } = await callerWithScope(request, needs);
      const currentSessionId = credential.kind === 'session' ? credential.id : null;
      return { ...request.context, owner, credential, currentSessionId };
    },
  };
}

async function callerWithScope(
  request: AccessRequest,
  { scope, ...open }: { scope: Scope } & OpenToProviders,
): Promise<Caller> {
  const caller = await knownCaller(request, open);
  const { scopes } = caller.credential;
  if (scopes !== null && !scopes.has(scope)) throw insufficientScope(scope);
  return caller;
}

function accountContext({ context }: AccessRequest, { account, credential }: Caller) {
  if (account !== null) return { ...context, account, credential };
  const why = "This is about an account: a member's session is not enough.";
  throw new Forbidden('account', why, 'account_session_required');
}

/**
 * Allows a member of the workspace in the path, whose credential has the scope and whose role has the permission.
 * `makesCredential`: what is made lasts longer, or reaches further, than a session by an identity provider, which is refused.
 */
export function workspaceMember({
  makesCredential = false,
  ...needs
}: {
  scope?: Scope;
  permission?: Permission;
  makesCredential?: boolean;
}): Access<CommandContext> {
  const admit = (context: ModelsContext, actor: Actor) => {
    if (makesCredential) requireOwnCredential(actor.credential);
    if (needs.scope !== undefined && !actor.hasScope(needs.scope)) throw insufficientScope(needs.scope);
    if (needs.permission !== undefined) actor.require(needs.permission);
    return { ...context, actor };
  };
  return {
    kind: 'member',
    ...needs,
    ...(makesCredential ? {} : { openToProviders: true }),
    admit,
    grant: async (request) => {
      const { context, params, prefetch } = request;
      const actor = await authenticateMember(context, request, params.workspace_uuid ?? '', prefetch);
      request.identified?.({ actor });
      return admit(context, actor);
    },
  };
}

/**
 * Allows any caller into the workspace in the path, for what members may have made public. A member is known by its
 * credential. Callers without one, with an invalid session cookie, which browsers send by themselves, or with a
 * credential of other workspaces are visitors. Other credentials that are invalid in `Authorization` are refused.
 */
export function memberOrVisitor(needs: { scope: Scope }): Access<VisitContext> {
  return {
    kind: 'optional',
    scope: needs.scope,
    openToProviders: true,
    grant: async (request) => {
      const { context, headers, params } = request;
      const isExplicit = headers.authorization !== undefined;
      const uuid = params.workspace_uuid ?? '';
      const actor =
        isExplicit || sessionTokenIn(headers) !== undefined
          ? await memberIn(request, uuid, isExplicit)
          : undefined;
      if (actor !== undefined && !actor.hasScope(needs.scope)) throw insufficientScope(needs.scope);
      if (actor !== undefined) {
        const { workspaceId, workspaceUuid } = actor;
        return { ...context, workspaceId, workspaceUuid, actor };
      }
      const workspace = isUuid(uuid) ? await context.db.identity.workspaces.findByUuid(uuid) : undefined;
      if (workspace === undefined) throw new NotFound('Workspace');
      return { ...context, workspaceId: workspace.id, workspaceUuid: workspace.uuid, actor: undefined };
    },
  };
}

async function memberIn(
  request: AccessRequest,
  uuid: string,
  isExplicit: boolean,
): Promise<Actor | undefined> {
  try {
    return await authenticateMember(request.context, request, uuid, request.prefetch);
  } catch (error) {
    if (error instanceof NotFound) return undefined;
    if (error instanceof DomainError && !isExplicit) return undefined;
    throw error;
  }
}

/** Allows anybody at a public site. No credential is looked at, so that a page can use none of its reader. */
export function siteGuest(): Access<GuestContext> {
  return {
    kind: 'public',
    forPages: true,
    grant: async (request) => enterSite(request.context, siteIn(request)),
  };
}

/** Allows a visitor of a public site by the token of its browser, and nobody else: no cookie is looked at. */
export function siteVisitor(): Access<VisitorContext> {
  return {
    kind: 'site-visitor',
    forPages: true,
    grant: async (request) => {
      const { context, source } = request;
      const token = bearerToken(request.headers);
      const granted = await enterAsVisitor(context, siteIn(request), { token, source });
      if (granted.actor !== undefined) request.identified?.({ actor: granted.actor });
      return granted;
    },
  };
}

/** @throws NotFound for a text that is no uuid, of which the database could not be asked */
function siteIn({ params, address }: AccessRequest) {
  const { workspace_uuid: workspaceUuid = '', site_uuid: siteUuid = '' } = params;
  if (!isUuid(workspaceUuid) || !isUuid(siteUuid)) throw new NotFound('Site');
  return { workspaceUuid, siteUuid, address };
}

/** Of a call of the carrier; `calledFor` is undefined where nothing has the number or the uuid. */
export type CarrierContext = OutreachContext & { calledFor: CarrierPlace | undefined };

/**
 * Allows the carrier, by the signature of its request. For an organization that is entered by its identity provider only, it
 * has to call below the public path.
 */
export function carrierSignature(): Access<CarrierContext> {
  return {
    kind: 'carrier',
    grant: async ({ context, services, headers, url, form, params: named, publicPath }) => {
      const signature = headers['x-twilio-signature'];
      const params = isWellFormedSignature(signature) ? await form() : {};
      checkCarrierSignature(services.carrier, { signature, url, params });
      const called = { workspaceUuid: named.workspace_uuid, to: params.To, publicPath };
      return { ...context, calledFor: await checkCarrierPath(context, called) };
    },
  };
}

/**
 * Allows those who hand mail in to the inbox in the path, by its secret, or by a signature of the mail, which then has to
 * be received first.
 */
export function inboxSecret(): Access<InboxContext> {
  return {
    kind: 'inbox',
    grant: async (request) => {
      const found = await inboxOf(request);
      if (found !== undefined) return { ...request.context, ...found };
      const message = 'There is no such inbox, or the secret or the signature is wrong.';
      throw new Unauthenticated(message, 'inbox_refused');
    },
  };
}

async function inboxOf({
  context,
  services,
  headers,
  params,
  file,
}: AccessRequest): Promise<OpenedInbox | undefined> {
  const { [inboxSecretHeader]: secret, 'x-webhook-signature': signature } = headers;
  const uuid = params.inbox_uuid ?? '';
  if (!isUuid(uuid)) return undefined;
  if (typeof secret === 'string') return openInbox(context, uuid, secret);
  if (typeof signature !== 'string') return undefined;
  const { encryption } = services;
  return openInboxBySignature({ ...context, encryption }, uuid, signature, file);
}

function insufficientScope(scope: Scope): Forbidden {
  return new Forbidden(scope, `The credential lacks the scope ${scope}.`, 'insufficient_scope');
}
