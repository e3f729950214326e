import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { Database } from '../db/database.js';
import { createLiveListener } from '../db/live/live-listener.js';
import { createLivePublisher } from '../db/live/live-publisher.js';
import { liveOutreach } from '../domain/calls/live-outreach.js';
import { StreamTokens } from '../domain/calls/stream-tokens.js';
import { ChatHub } from '../domain/conversations/chat-events/chat-hub.js';
import { LiveChats } from '../domain/conversations/chat-events/live-chats.js';
import { FileAddresses } from '../domain/files/file-addresses.js';
import { LoginSecret } from '../domain/identity/login-codes/login-secret.js';
import { observeAlerts } from '../domain/kernel/alert-colleague.js';
import { observeOccurrences } from '../domain/kernel/occurrences.js';
import { systemClock } from '../domain/lib/clock.js';
import { Encryption } from '../domain/lib/encryption.js';
import { ArchiveAddresses } from '../domain/person-data/exports/archive-addresses.js';
import { Simulations } from '../domain/simulation/simulations.js';
import { SiteAddresses } from '../domain/sites/site-addresses.js';
import { answerCall } from '../providers/carrier/call-answer.js';
import { TwilioCarrier } from '../providers/carrier/twilio-carrier.js';
import { DnsTexts } from '../providers/dns/dns-texts.js';
import { OpenIdProviders } from '../providers/identity-provider/openid-providers.js';
import { createRemoteTools } from '../providers/mcp/create-mcp-client.js';
import type { ChatModel } from '../providers/model/chat-model.js';
import type { OpenAiChatModelOptions } from '../providers/model/openai-chat-model.js';
import { publicFetch } from '../providers/public-fetch/public-fetch.js';
import { AddressPolicy } from '../providers/webhook/address-policy.js';
import { ConfigurationError, inboxPolicyOf, readConfiguration } from '../runtime/configuration.js';
import { checkStorage, collectSpools, createStorage } from '../runtime/create-storage.js';
import { createLogger, endOnCrash } from '../runtime/logger.js';
import { loadModelCatalogue } from '../runtime/model-catalogue.js';
import { reportConditions } from '../runtime/report-conditions.js';
import { createRunsClient } from '../runtime/runs-client.js';
import { runUrlsOf } from '../runtime/temporal/run-urls.js';
import { problemPages } from './html/account/problem-page.js';
import { serveSites } from './html/sites/serve-sites.js';
import { apiPrefix, createApp } from './http/app.js';
import { createHttpServer } from './http/server.js';
import type { Services } from './http/services.js';
import { objectStore } from './object-store.js';
import { apiParts } from './parts.js';
import { routes } from './resources/index.js';
import { simulatedModel } from './simulated-model.js';

const stopWithinMs = 10_000;
/** The share of database connections that one workspace or account may use at once. */
const tenantShare = 0.3;

/** The api process: serves HTTP until it receives a signal to stop. */
async function main(): Promise<void> {
  const configuration = readConfiguration();
  const logger = createLogger({ level: configuration.logLevel, process: 'api' });
  endOnCrash(logger);
  observeAlerts(({ workspaceId, chatId, reason }) => {
    logger.warn({ workspaceId, chatId, reason }, 'a chat needs a person');
  });
  observeOccurrences((happening) => logger.warn(happening, 'an operator may have to look'));
  const models = loadModelCatalogue(configuration);
  const publisher = createLivePublisher(configuration.databaseUrl);
  const db = new Database({
    url: configuration.databaseUrl,
    share: tenantShare,
    onOutboxWritten: publisher.outboxWritten,
    onChatsChanged: publisher.chatsChanged,
  });
  const hub = new ChatHub({ db, listener: createLiveListener({ url: configuration.databaseUrl }) });
  const live = new LiveChats(hub, publisher);
  const runs = createRunsClient(configuration, logger);
  const storage = createStorage(configuration.storage, db);
  // The keys that sign addresses, and what addresses begin with.
  const { key, previous } = configuration.encryption;
  const addresses = [[key, previous ?? []].flat(), `${configuration.publicUrl}${apiPrefix}`] as const;
  const ssoAddresses = new AddressPolicy({
    requireHttps: configuration.production,
    allowedNetworks: configuration.singleSignOn.allowedNetworks,
  });
  const publicAddresses = new AddressPolicy({
    requireHttps: configuration.production,
    allowedNetworks: configuration.webhooks.allowedNetworks,
  });
  const services: Services = {
    archiveAddresses: new ArchiveAddresses(...addresses),
    calls: {
      answer: answerCall,
      apiUrl: `${configuration.publicUrl}${apiPrefix}`,
      streamUrl: `${configuration.media.publicUrl}${apiPrefix}/call-streams`,
      tokens: new StreamTokens(addresses[0]),
      models,
      isAvailable: configuration.carrier !== undefined && configuration.model !== undefined,
    },
    carrier: configuration.carrier && new TwilioCarrier(configuration.carrier),
    domainRecords: new DnsTexts({ servers: configuration.dnsServers }),
    crawledAddresses: publicAddresses,
    encryption: new Encryption(key, previous),
    fileAddresses: new FileAddresses(...addresses),
    inboxes: {
      policy: inboxPolicyOf(configuration),
      hosts: new AddressPolicy({
        requireHttps: configuration.production,
        allowedNetworks: configuration.inboxes.allowedNetworks,
      }),
    },
    live,
    loginSecret: new LoginSecret(configuration.loginSecret),
    policy: configuration.policy,
    remoteTools: createRemoteTools({
      requireHttps: configuration.production,
      allowedNetworks: configuration.webhooks.allowedNetworks,
    }),
    runs,
    runUrlOf: runUrlsOf(configuration),
    sites: new SiteAddresses(addresses[0], configuration.publicUrl, addresses[1]),
    signOn: {
      providers: new OpenIdProviders({
        policy: ssoAddresses,
        allowHttp: !configuration.production,
        now: () => systemClock.now().getTime(),
      }),
      check: (issuer) => ssoAddresses.check(issuer),
    },
    simulations: new Simulations({
      agentBudgets: configuration.agentBudgets,
      askModel: configuration.model && simulatedModel(createModel(configuration.model)),
    }),
    storage: objectStore(storage, { clock: systemClock, observe: reportConditions(logger) }),
    webhookAddresses: publicAddresses,
  };
  const context = { db, clock: systemClock, models, outreach: liveOutreach };
  const parts = apiParts({
    secrets: previous === undefined ? [key] : [key, previous],
    registration: configuration.oauth.registration,
    fetch: publicFetch({
      policy: new AddressPolicy({ requireHttps: true, allowedNetworks: configuration.oauth.allowedNetworks }),
      timeoutMs: 2_500,
      maxBytes: 8_192,
    }),
  });
  const app = createApp({
    ...{ context, services, configuration, logger, routes, parts },
    sites: (server) => serveSites(server, key),
    problemPages: problemPages(context),
  });

  const stopping = new Promise<NodeJS.Signals>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, resolve);
  });
  void checkStorage(storage, logger);
  collectSpools(storage, logger);
  const server = createHttpServer(app.callback());
  const unused = unusedConnections(server);
  await listen(server, configuration);
  logger.info({ port: (server.address() as AddressInfo).port }, 'api started');

  logger.info({ signal: await stopping }, 'api stopping');
  // Forces the exit if requests are still open by then; the timer itself does not keep the process alive.
  setTimeout(() => process.exit(1), stopWithinMs).unref();
  await Promise.all([closeServer(server, unused), live.close()]);
  await Promise.all([publisher.close(), db.close(), runs.close()]);
  logger.info('api stopped');
}

/** The model, which only simulations ask here. Its package is large, and is loaded with the first of them. */
function createModel(options: OpenAiChatModelOptions): ChatModel {
  return {
    async complete(request) {
      const { OpenAiChatModel } = await import('../providers/model/openai-chat-model.js');
      return new OpenAiChatModel(options).complete(request);
    },
  };
}

async function listen(server: Server, at: { port: number; host: string }): Promise<void> {
  server.listen(at.port, at.host);
  try {
    await once(server, 'listening');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const why = code === 'EADDRINUSE' ? 'is in use' : `cannot be listened on (${code})`;
    throw new ConfigurationError(`Port ${at.port} on ${at.host} ${why}.`);
  }
}

/** The connections that clients have opened in advance: `closeIdleConnections` leaves them open. */
function unusedConnections(server: Server): ReadonlySet<Socket> {
  const unused = new Set<Socket>();
  server.on('connection', (socket) => {
    unused.add(socket);
    socket.once('close', () => unused.delete(socket));
  });
  server.on('request', ({ socket }) => unused.delete(socket));
  return unused;
}

/** Stops accepting connections, and waits until all requests in progress are answered. */
async function closeServer(server: Server, unused: ReadonlySet<Socket>): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  for (const socket of unused) socket.destroy();
  server.closeIdleConnections();
  // Without this, a kept-alive connection would stay open for the keep-alive time after its last answer.
  const sweep = setInterval(() => server.closeIdleConnections(), 100);
  await closed;
  clearInterval(sweep);
}

main().catch((error) => {
  const sentence =
    error instanceof ConfigurationError ? error.message : `The api failed: ${String(error?.message)}`;
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
});
