import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import type { CarrierVerifier } from '../../../api/auth/check-carrier-signature.js';
import { problemPages } from '../../../api/html/account/problem-page.js';
import { serveSites } from '../../../api/html/sites/serve-sites.js';
import { apiPrefix, createApp } from '../../../api/http/app.js';
import type { Route } from '../../../api/http/route.js';
import { createHttpServer } from '../../../api/http/server.js';
import type { EventStreamTiming } from '../../../api/http/streams/event-stream.js';
import { objectStore } from '../../../api/object-store.js';
import { apiParts } from '../../../api/parts.js';
import { routes } from '../../../api/resources/index.js';
import type { Database } from '../../../db/database.js';
import { liveOutreach } from '../../../domain/calls/live-outreach.js';
import { StreamTokens } from '../../../domain/calls/stream-tokens.js';
import type { InboxPolicy } from '../../../domain/channels/inboxes/inbox-address.js';
import type { LiveChats } from '../../../domain/conversations/chat-events/live-chats.js';
import type { ReceiverAddresses } from '../../../domain/events/event-rules/receiver.js';
import { FileAddresses } from '../../../domain/files/file-addresses.js';
import { defaultAgentBudgets } from '../../../domain/kernel/agent-budgets.js';
import type { ModelCatalogue } from '../../../domain/kernel/ai-models/model-catalogue.js';
import type { ToolLister } from '../../../domain/kernel/remote-tools.js';
import { type Clock, systemClock } from '../../../domain/lib/clock.js';
import { Unavailable } from '../../../domain/lib/errors.js';
import { ArchiveAddresses } from '../../../domain/person-data/exports/archive-addresses.js';
import type { AskModel } from '../../../domain/simulation/model.js';
import { Simulations } from '../../../domain/simulation/simulations.js';
import type { SourceAddresses } from '../../../domain/sites/crawl/start-crawl.js';
import type { DomainRecords } from '../../../domain/sites/domains/domain-records.js';
import { SiteAddresses } from '../../../domain/sites/site-addresses.js';
import { answerCall } from '../../../providers/carrier/call-answer.js';
import { OpenIdProviders } from '../../../providers/identity-provider/openid-providers.js';
import type { Storage } from '../../../providers/storage/storage.js';
import { AddressPolicy } from '../../../providers/webhook/address-policy.js';
import type { Configuration } from '../../../runtime/configuration.js';
import type { Logger } from '../../../runtime/logger.js';
import type { RunsClient } from '../../../runtime/runs-client.js';
import { runUrlsOf } from '../../../runtime/temporal/run-urls.js';
import { testEncryption, testEncryptionKey } from '../lib/encryption.js';
import { catalogueWith } from '../lib/models.js';
import { testRequests } from '../lib/requests.js';
import { scratchStorage } from '../storage/scratch-storage.js';
import { testInboxPolicy } from '../workspace/inboxes.js';
import { createDeafLiveChats } from './live.js';
import { noteDatabaseOf, testLoginSecret, testLoginSecretText } from './login.js';

const allowedNetworks = ['127.0.0.0/8'];
const withoutDns = new AddressPolicy({ requireHttps: false, allowedNetworks, resolve: async () => [] });

/** With identity providers on this machine. */
const localAddresses = new AddressPolicy({ requireHttps: false, allowedNetworks });
const testProviders = (clock: Clock) =>
  new OpenIdProviders({
    policy: localAddresses,
    allowHttp: true,
    now: () => clock.now().getTime(),
    timeoutMs: 2_000,
  });

const unreachable: typeof fetch = async () => {
  throw new TypeError('nothing is reached in this test');
};

export type RawBody = NonNullable<RequestInit['body']>;

export interface ApiRequest {
  apiKey?: string | undefined;
  /** Sent as JSON. */
  body?: unknown;
  /** Sent as a form. */
  form?: Record<string, string>;
  /** Sent as multipart/form-data. */
  multipart?: FormData;
  /** Sent as it is. */
  raw?: RawBody;
  query?: Record<string, string | number | boolean | undefined>;
  headers?: Record<string, string>;
}

export interface ApiResponse<Body> {
  status: number;
  body: Body;
  headers: Headers;
}

export interface TestApi {
  baseUrl: string;
  /** `path` is below `/api/v2`. The body's type is what the test takes it for. */
  // biome-ignore lint/suspicious/noExplicitAny: what a test reads of an answer is what it asserts
  request<Body = any>(method: string, path: string, request?: ApiRequest): Promise<ApiResponse<Body>>;
  close(): Promise<void>;
}

export interface ApiOptions {
  /** Without it, what needs an answer from a run gives 503. */
  runs?: Partial<RunsClient> | ((database: Database) => Partial<RunsClient>);
  /** Without it, streams open and hear of nothing. */
  live?: LiveChats;
  eventStreams?: Partial<EventStreamTiming>;
  readerPatienceMs?: number;
  carrier?: CarrierVerifier;
  /** Where the carrier opens the streams of calls. */
  streamUrl?: string | undefined;
  /** Whether there is a model that speaks; unless told, where there is a carrier. */
  voice?: boolean;
  /** Lists the tools of remote MCP servers; without it, they are on this machine. */
  remoteTools?: ToolLister;
  /** Which receivers of webhooks are refused; unless told, as outside of production, on a machine without DNS. */
  webhookAddresses?: ReceiverAddresses;
  /** Which sites may be crawled; unless told, as outside of production, on a machine without DNS. */
  crawledAddresses?: SourceAddresses;
  /** The proofs of domains of sites; without it, there are none. */
  domainRecords?: DomainRecords;
  clock?: Clock;
  models?: ModelCatalogue;
  /** The model that simulations may ask; without it, none is configured. */
  askModel?: AskModel;
  routes?: readonly Route[];
  logger?: Logger;
  publicUrl?: string;
  production?: boolean;
  /** Without them nothing is limited. */
  rateLimits?: Partial<Configuration['rateLimits']>;
  trustedProxies?: number;
  /** Whether OAuth clients may register themselves. */
  registration?: boolean;
  /** Fetches what OAuth clients publish; without it, nothing is reached. */
  clientFetch?: typeof fetch;
  /** Without it, a folder that is removed with the api. */
  storage?: Storage;
  policy?: Partial<Configuration['policy']>;
  /** What the operator decides about inboxes; without it, the relay sends for `inboxes.example`. */
  inboxPolicy?: InboxPolicy;
}

/** The api on a port of its own, as it is in production but for what the test puts in place of others. */
export async function startApi(database: Database, options: ApiOptions = {}): Promise<TestApi> {
  const server = createHttpServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { clock = systemClock, models = catalogueWith(), production = false } = options;
  const scratch = options.storage === undefined ? scratchStorage() : undefined;
  const storage = options.storage ?? (scratch as ReturnType<typeof scratchStorage>).storage;
  const addresses = [[testLoginSecretText], `${options.publicUrl ?? baseUrl}${apiPrefix}`] as const;
  const app = createApp({
    context: { db: database, clock, models, outreach: liveOutreach },
    services: {
      archiveAddresses: new ArchiveAddresses(...addresses),
      calls: {
        answer: answerCall,
        apiUrl: addresses[1],
        streamUrl: options.streamUrl ?? 'wss://streams.example.com/api/v2/call-streams',
        tokens: new StreamTokens([testEncryptionKey]),
        models,
        isAvailable: options.voice ?? options.carrier !== undefined,
      },
      carrier: options.carrier,
      domainRecords: options.domainRecords ?? { textsOf: async () => ({ kind: 'none' }) },
      crawledAddresses: options.crawledAddresses ?? withoutDns,
      encryption: testEncryption,
      fileAddresses: new FileAddresses(...addresses),
      inboxes: { policy: options.inboxPolicy ?? testInboxPolicy, hosts: withoutDns },
      live: options.live ?? createDeafLiveChats(database),
      loginSecret: testLoginSecret,
      policy: {
        workspaceCreation: 'anyone',
        loginCodesPerHour: 5,
        workspacesPerAccount: 20,
        bytesPerWorkspace: 10 * 1_073_741_824,
        exportDays: 7,
        supportAccessHours: 8,
        localHttpOrigins: !production,
        ...options.policy,
      },
      sites: new SiteAddresses(addresses[0], options.publicUrl ?? baseUrl, addresses[1]),
      simulations: new Simulations({ agentBudgets: defaultAgentBudgets, askModel: options.askModel }),
      runs: unreachableRuns(typeof options.runs === 'function' ? options.runs(database) : options.runs),
      runUrlOf: runUrlsOf({
        temporal: { address: '', namespace: 'default', tls: false },
        temporalUiUrl: 'https://temporal-ui.example',
      }),
      remoteTools: options.remoteTools ?? testRequests().remoteTools,
      signOn: { providers: testProviders(clock), check: (issuer) => localAddresses.check(issuer) },
      storage: objectStore(storage, { clock }),
      webhookAddresses: options.webhookAddresses ?? withoutDns,
    },
    eventStreams: options.eventStreams ?? {},
    ...(options.readerPatienceMs === undefined ? {} : { readerPatienceMs: options.readerPatienceMs }),
    logger: options.logger ?? pino({ level: process.env.TEST_LOG_LEVEL ?? 'silent' }),
    configuration: {
      checkResponses: !production,
      publicUrl: options.publicUrl ?? baseUrl,
      rateLimits: { credential: 0, account: 0, workspace: 0, address: 0, refusals: 0, ...options.rateLimits },
      trustedProxies: options.trustedProxies ?? 0,
    },
    routes: options.routes ?? routes,
    sites: (server) => serveSites(server, testEncryptionKey),
    problemPages: problemPages({ db: database, clock }),
    parts: apiParts({
      secrets: [testEncryptionKey],
      registration: options.registration ?? false,
      fetch: options.clientFetch ?? unreachable,
    }),
  });
  server.on('request', app.callback());
  noteDatabaseOf(baseUrl, database);

  const close = async () => {
    server.closeAllConnections();
    await once(server.close(), 'close');
    scratch?.remove();
  };
  return { ...apiAt(baseUrl), close };
}

/** What asks an api that answers at this address, in whichever process. */
export function apiAt(baseUrl: string): Omit<TestApi, 'close'> {
  return { baseUrl, request: (method, path, request) => send(baseUrl + apiPrefix + path, method, request) };
}

async function send<Body>(
  address: string,
  method: string,
  request: ApiRequest = {},
): Promise<ApiResponse<Body>> {
  const url = new URL(address);
  for (const [name, value] of Object.entries(request.query ?? {})) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  const headers = new Headers(request.headers);
  if (request.apiKey !== undefined) headers.set('Authorization', `Bearer ${request.apiKey}`);
  if (request.body !== undefined) headers.set('Content-Type', 'application/json');
  const form = request.form && new URLSearchParams(request.form);
  const body = request.raw ?? request.multipart ?? form ?? JSON.stringify(request.body);
  const init = { method, headers, body: body ?? null, duplex: 'half', redirect: 'manual' };
  const response = await fetch(url, init as RequestInit);
  const text = await response.text();
  const isJson = /[/+]json/.test(response.headers.get('Content-Type') ?? '') && text !== '';
  const { status, headers: told } = response;
  return { status, body: (isJson ? JSON.parse(text) : text) as Body, headers: told };
}

/** A runs client that cannot be reached for all that the test does not give. */
function unreachableRuns(given: Partial<RunsClient> = {}): RunsClient {
  return new Proxy(given, {
    get: (target, name) =>
      Reflect.get(target, name) ??
      (async () => {
        throw new Unavailable('Temporal cannot be reached.');
      }),
  }) as RunsClient;
}
