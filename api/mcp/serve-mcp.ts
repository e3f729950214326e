import { type AuthInfo, createMcpHandler, type McpServerFactory } from '@modelcontextprotocol/server';
import type { Context, Middleware } from 'koa';
import { Forbidden, Unauthenticated } from '../../domain/lib/errors.js';
import { authenticateGrant } from '../auth/authenticate-member.js';
import { memoize } from '../http/memoize.js';
import { limitCaller } from '../http/pipeline/authenticate.js';
import { callerOf } from '../http/pipeline/caller.js';
import { compileEndpoint, type Server } from '../http/pipeline/endpoint.js';
import type { Prefetch } from '../http/pipeline/prefetch.js';
import { toProblem } from '../http/problem.js';
import { requestSource } from '../http/request-source.js';
import { methodNotAllowed } from '../http/resource-routers.js';
import type { Route } from '../http/route.js';
import { prefetchCall, type ServedTool } from './call-tool.js';
import { CallsInProgress } from './calls-in-progress.js';
import type { McpPrompt } from './catalog/prompts.js';
import { Confirmations } from './confirmation.js';
import type { McpResource } from './define-resource.js';
import type { Tool } from './define-tool.js';
import { createMcpServer, type McpParts } from './mcp-server.js';
import { ProtectedResource } from './protected-resource.js';
import { readJsonBody } from './read-json-body.js';
import { resourceAt } from './read-resource.js';
import { Listening } from './subscriptions/serve-listen.js';
import { isListen, wantedThings } from './subscriptions/wanted.js';
import { Tasks } from './tasks/tasks.js';
import type { Visit } from './visit.js';
import { answerWeb, toWebRequest } from './web-request.js';

export interface McpOptions {
  server: Server;
  tools: readonly Tool[];
  resources: readonly McpResource[];
  prompts: readonly McpPrompt[];
  /** The public address of the endpoint, which tokens have to be for. */
  resource: string;
  /** The issuer of these tokens. */
  issuer: string;
  /** From which the key of confirmations is derived. */
  secret: string;
}

/** Serves the tools to AI clients (Model Context Protocol), and the metadata by which they find the authorization server. */
export function serveMcp(options: McpOptions): Middleware {
  const { server, tools: all, resource, secret } = options;
  const endpointOf = memoize((route: Route) => compileEndpoint(route, server));
  // A tool is compiled for its first call, as a route is for its first request.
  const serveTool = (tool: Tool): ServedTool => ({
    tool,
    get endpoint() {
      return endpointOf(tool.route);
    },
  });
  const tools = toolsByName(all, serveTool);
  const resources = options.resources.map((one) => Object.assign(serveTool(one.view), { resource: one }));
  const views = [...all, ...options.resources.map(({ view }) => view)];
  const scopes = [...new Set(views.flatMap((view) => view.scopes))];
  const protectedResource = new ProtectedResource({ ...options, scopes });
  const { prompts } = options;
  const parts = {
    tools,
    resources,
    prompts,
    confirmations: new Confirmations(secret),
    inProgress: new CallsInProgress(),
    tasks: new Tasks({ tools, runs: server.services.runs, clock: server.context.clock, secret }),
    // Less than the shortest patience of clients, which is ten seconds.
    progressEveryMs: server.eventStreams.heartbeatMs / 4,
    onFailure: server.onFailure,
  };
  const factory: McpServerFactory = ({ authInfo, era }) =>
    createMcpServer(parts, authInfo?.extra?.visit as Visit, era);
  const handler = createMcpHandler(factory);
  const listening = new Listening({
    server,
    resources,
    resource,
    factory,
    authenticate: ({ ctx }) => contextOf(ctx, options),
  });
  const answer = async (ctx: Context, authInfo: AuthInfo, body: object) => {
    const response = await handler.fetch(toWebRequest(ctx, resource), { authInfo, parsedBody: body });
    if (response.status >= 500) {
      server.onFailure(ctx, toProblem(new Error('the protocol could not be served'), ctx.state.requestId));
    }
    await answerWeb(ctx, response);
  };

  const serve = async (ctx: Context) => {
    checkSender(ctx, server);
    const receive = receiving(ctx);
    let prefetch: Prefetch | undefined;
    const context = await authenticate(ctx, options, protectedResource, async () => {
      if (isShort(ctx)) prefetch = await receive().then((body) => prefetchOf(parts, body, ctx), nothing);
      return prefetch?.prefetch;
    });
    if (ctx.method !== 'POST') throw methodNotAllowed(['POST']);
    const body = await receive();
    const visit: Visit = { ctx, context, prefetch };
    checkScopes(visit, { parts, body, protectedResource });
    const { actor } = context;
    const authInfo = {
      // Nothing beyond here needs the token itself.
      token: '',
      clientId: '',
      scopes: [...(actor.credential.scopes ?? [])],
      extra: { visit },
    };
    if (isListen(body)) await listening.serve(visit, body, { authInfo });
    else await answer(ctx, authInfo, body);
  };
  return async (ctx, next) => {
    if (ctx.path === protectedResource.path) return serve(ctx);
    if (ctx.path !== protectedResource.metadataPath) return next();
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') throw methodNotAllowed(['GET', 'HEAD']);
    ctx.body = protectedResource.metadata;
    ctx.set('Cache-Control', 'public, max-age=3600');
  };
}

function toolsByName(all: readonly Tool[], serve: (tool: Tool) => ServedTool): Map<string, ServedTool> {
  const tools = new Map(all.map((tool) => [tool.name, serve(tool)]));
  if (tools.size < all.length) throw new Error('Two tools have the same name.');
  return tools;
}

/**
 * Refuses requests of web pages of others, and those that were sent to another name (DNS rebinding). A proxy may choose
 * its own name. @throws Forbidden `origin_not_allowed`
 */
function checkSender(ctx: Context, { ownOrigin }: Server): void {
  const { origin } = ctx.headers;
  const isOurs = ctx.app.proxy || ctx.hostname === new URL(ownOrigin).hostname;
  if (isOurs && (origin === undefined || origin === ownOrigin)) return;
  const why = 'Tools are not called by web pages of others.';
  throw new Forbidden('origin', why, 'origin_not_allowed');
}

/** Authenticates the client within the quotas. @throws Unauthenticated, with the challenge of the endpoint */
async function authenticate(
  ctx: Context,
  options: McpOptions,
  protectedResource: ProtectedResource,
  prepare: Parameters<typeof authenticateGrant>[2],
): Promise<Visit['context']> {
  try {
    const granted = await limitCaller(ctx, options.server.rateLimits, () => contextOf(ctx, options, prepare));
    ctx.state.caller = callerOf(granted);
    return granted as Visit['context'];
  } catch (error) {
    if (error instanceof Unauthenticated) {
      ctx.state.challenge = protectedResource.challenge({
        isTokenGiven: ctx.headers.authorization !== undefined,
      });
    }
    throw error;
  }
}

/** Asks who calls, and what the caller may do now. @throws Unauthenticated, Forbidden `member_disabled` */
async function contextOf(
  ctx: Context,
  { server, resource }: McpOptions,
  prepare?: Parameters<typeof authenticateGrant>[2],
): Promise<Visit['context']> {
  const { context, ownOrigin } = server;
  const { method, headers } = ctx;
  const source = requestSource(ctx);
  const actor = await authenticateGrant(context, { method, headers, ownOrigin, resource, source }, prepare);
  return { ...context, actor };
}

/** Asks for the scopes that a call lacks before anything is done. @throws Forbidden `insufficient_scope`, with a challenge */
function checkScopes(
  { ctx, context }: Visit,
  {
    parts,
    body,
    protectedResource,
  }: { parts: McpParts; body: unknown; protectedResource: ProtectedResource },
): void {
  const called = viewsOf(parts, body as Message);
  if (called.length === 0) return;
  ctx.state.tool = called[0]?.name;
  const { actor } = context;
  const needed = [...new Set(called.flatMap(({ scopes }) => scopes))];
  const [missing] = needed.filter((scope) => !actor.hasScope(scope));
  if (missing === undefined) return;
  ctx.state.challenge = protectedResource.stepUp(actor.credential.scopes ?? [], needed);
  throw new Forbidden(missing, `The token lacks the scope ${missing}.`, 'insufficient_scope');
}

interface Message {
  method?: unknown;
  params?: { name?: unknown; uri?: unknown; arguments?: unknown } | null;
}

/** The tool that a message calls, or the view of the resource that it reads, with its arguments. */
function calledBy(
  { tools, resources }: McpParts,
  { method, params }: Message,
): { served: ServedTool; params: Record<string, unknown> } | undefined {
  if (method === 'resources/read') return resourceAt(resources, String(params?.uri));
  const served = method === 'tools/call' ? tools.get(String(params?.name)) : undefined;
  return served && { served, params: Object(params?.arguments) };
}

/** The tool that a message calls, or the views of the resources that it reads or follows. */
function viewsOf(parts: McpParts, message: Message): Tool[] {
  if (isListen(message))
    return [...wantedThings(parts.resources, message).values()].map(({ served }) => served.tool);
  const called = calledBy(parts, message);
  return called === undefined ? [] : [called.served.tool];
}

function prefetchOf(parts: McpParts, body: object, ctx: Context): Prefetch | undefined {
  const called = calledBy(parts, body);
  return called && prefetchCall(called.served, called.params, ctx);
}

/** What asks for a read names little else. Longer messages are received once the caller is known (decision 49). */
const shortBytes = 8_192;

function isShort({ method, req, request: { length } }: Context): boolean {
  const isChunked = req.headers['transfer-encoding'] !== undefined;
  return method === 'POST' && !isChunked && length !== undefined && length <= shortBytes;
}

/** Receives the body once, however often it is called. */
function receiving(ctx: Context): () => Promise<object> {
  let received: Promise<object> | undefined;
  return () => {
    received ??= readJsonBody(ctx);
    return received;
  };
}

/** An error of the body is told once the caller is authenticated. */
const nothing = () => undefined;
