import { DefaultLogger, makeTelemetryFilterString, Runtime, type TelemetryOptions } from '@temporalio/worker';
import { createBridgeNotifier } from '../db/calls/bridge-notices.js';
import { Database } from '../db/database.js';
import { createLivePublisher } from '../db/live/live-publisher.js';
import { liveOutreach } from '../domain/calls/live-outreach.js';
import { FileAddresses } from '../domain/files/file-addresses.js';
import { LoginSecret } from '../domain/identity/login-codes/login-secret.js';
import { observeAlerts } from '../domain/kernel/alert-colleague.js';
import { observeOccurrences } from '../domain/kernel/occurrences.js';
import { systemClock } from '../domain/lib/clock.js';
import { Encryption } from '../domain/lib/encryption.js';
import { TwilioCarrier } from '../providers/carrier/twilio-carrier.js';
import { DnsTexts } from '../providers/dns/dns-texts.js';
import { smtpMail, smtpRelay } from '../providers/mail/smtp.js';
import { createRemoteTools } from '../providers/mcp/create-mcp-client.js';
import { OpenAiChatModel } from '../providers/model/openai-chat-model.js';
import { createRequestSender } from '../providers/requests/create-request-sender.js';
import { SourceSites } from '../providers/source-site/source-site.js';
import { AddressPolicy } from '../providers/webhook/address-policy.js';
import { createWebhookSender } from '../providers/webhook/create-webhook-sender.js';
import { type Configuration, ConfigurationError, inboxPolicyOf, readConfiguration } from './configuration.js';
import { checkStorage, collectSpools, createStorage } from './create-storage.js';
import { createLogger, endOnCrash, type Logger } from './logger.js';
import { createMetrics } from './metrics.js';
import { loadModelCatalogue } from './model-catalogue.js';
import { preparePhoneNumbers } from './prepare-phone-numbers.js';
import { Relay } from './relay/relay.js';
import { reportConditions } from './report-conditions.js';
import { serveHealth } from './serve-health.js';
import { closeTemporalClient, createTemporalClient } from './temporal/connect.js';
import { createRunInspector } from './worker/run-inspector.js';
import { stepDeadline } from './worker/steps-apart.js';
import { WorkerProcess } from './worker/worker-process.js';

/** Less than the 40 s after which a worker is killed (docs/running.md). */
const stopWithinMs = 38_000;

async function main(): Promise<void> {
  const configuration = readConfiguration();
  if (configuration.relayDatabaseUrl === '') throw new ConfigurationError('RELAY_DATABASE_URL is not set.');
  const logger = createLogger({ level: configuration.logLevel, process: 'worker' });
  endOnCrash(logger);
  Runtime.install({
    shutdownSignals: [],
    logger: temporalLogger(configuration, logger),
    // Logs of the SDK's core go through the same logger, instead of directly to the console.
    telemetryOptions: {
      logging: { filter: makeTelemetryFilterString({ core: 'WARN' }), forward: {} },
      ...sdkMetrics(configuration),
    },
  });

  const client = createTemporalClient(configuration.temporal);
  const metrics = createMetrics();
  const relay = new Relay({
    databaseUrl: configuration.relayDatabaseUrl,
    temporal: client,
    logger,
    metrics: metrics.relay,
  });
  observeAlerts(({ workspaceId, chatId, reason }) => {
    metrics.chats.personCalled(reason);
    logger.warn({ workspaceId, chatId, reason }, 'a chat needs a person');
  });
  observeOccurrences((happening) => {
    metrics.domain.happened(happening);
    logger.warn(happening, 'an operator may have to look');
  });
  const live = createLivePublisher(configuration.databaseUrl);
  const bridges = createBridgeNotifier(configuration.databaseUrl);
  const connected = {
    url: configuration.databaseUrl,
    onOutboxWritten: () => relay.wake(),
    onChatsChanged: live.chatsChanged,
  };
  const db = new Database({ ...connected, poolSize: 20 });
  const stepsDb = new Database({
    ...connected,
    name: 'wes-steps',
    poolSize: 10,
    limits: { connectMs: 1_000 },
    deadline: stepDeadline,
  });
  const filesDb = new Database({ ...connected, name: 'wes-files', poolSize: 6 });
  const sender = createWebhookSender({
    requireHttps: configuration.production,
    allowedNetworks: configuration.webhooks.allowedNetworks,
  });
  const requestSender = createRequestSender({ allowedNetworks: configuration.webhooks.allowedNetworks });
  const remoteTools = createRemoteTools({
    requireHttps: configuration.production,
    allowedNetworks: configuration.webhooks.allowedNetworks,
  });
  const storage = createStorage(configuration.storage, db);
  const { key, previous } = configuration.encryption;
  const worker = new WorkerProcess({
    temporal: configuration.temporal,
    client,
    logger,
    metrics: metrics.workers,
    version: configuration.workerVersion,
    stepsDb,
    filesDb,
    dependencies: {
      db,
      clock: systemClock,
      agentBudgets: configuration.agentBudgets,
      models: loadModelCatalogue(configuration),
      outreach: liveOutreach,
      logger,
      runs: createRunInspector(client),
      live,
      bridges,
      observeProvider: reportConditions(logger, metrics.providers.observe),
      publicUrl: configuration.publicUrl,
      callPrices: configuration.callPrices,
      carrier: configuration.carrier && new TwilioCarrier(configuration.carrier),
      model: configuration.model && new OpenAiChatModel(configuration.model),
      mail: configuration.mail && smtpMail(configuration.mail),
      email: {
        relay: smtpRelay({
          url: configuration.mail?.url,
          hosts: new AddressPolicy({
            requireHttps: configuration.production,
            allowedNetworks: configuration.inboxes.allowedNetworks,
          }),
        }),
        domain: inboxPolicyOf(configuration).domain,
      },
      domainRecords: new DnsTexts({ servers: configuration.dnsServers }),
      crawl: {
        source: new SourceSites(
          new AddressPolicy({
            requireHttps: configuration.production,
            allowedNetworks: configuration.webhooks.allowedNetworks,
          }),
        ),
        delayMs: configuration.crawl.delayMs,
      },
      storage,
      fileAddresses: new FileAddresses([key, previous ?? []].flat(), `${configuration.publicUrl}/api/v2`),
      bytesPerWorkspace: configuration.policy.bytesPerWorkspace,
      login: {
        secret: new LoginSecret(configuration.loginSecret),
        ...(configuration.loginSmsFrom === undefined ? {} : { smsFrom: configuration.loginSmsFrom }),
        smsLimits: configuration.loginSmsLimits,
        notSent(reason) {
          metrics.loginCodes.notSent(reason);
          logger.warn({ reason }, 'a login code is not sent');
        },
      },
      webhooks: {
        sender,
        encryption: new Encryption(key, previous),
        retryDelaysMs: configuration.webhooks.retryDelaysMs,
      },
      requests: { sender: requestSender, remoteTools, encryption: new Encryption(key, previous) },
    },
  });

  const health = await serveHealth(configuration.workerHealthPort, configuration.host, {
    isReady: () => worker.isReady() && relay.isLooking(),
    registry: metrics.registry,
  });
  const stopping = new AbortController();
  const stop = () => {
    // Forces the exit if the shutdown takes longer; the timer itself does not keep the process alive.
    setTimeout(() => process.exit(1), stopWithinMs).unref();
    stopping.abort();
    worker.stop();
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, stop);
  preparePhoneNumbers({ db, clock: systemClock, logger }, configuration, stopping.signal).catch(endWith);

  void checkStorage(storage, logger);
  collectSpools(storage, logger);
  relay.start();
  logger.info('worker started');
  await worker.run();
  await relay.stop();
  sender.close();
  requestSender.close();
  remoteTools.close();
  health.close();
  await Promise.all([live.close(), bridges.close()]);
  await Promise.all([db.close(), stepsDb.close(), filesDb.close()]);
  await closeTemporalClient(client);
  logger.info('worker stopped');
}

/** Serves the SDK's own metrics (queues, slots, cache) on a separate port. */
function sdkMetrics({ host, sdkMetricsPort }: Configuration): Pick<TelemetryOptions, 'metrics'> {
  if (sdkMetricsPort === undefined) return {};
  return { metrics: { prometheus: { bindAddress: `${host}:${sdkMetricsPort}` } } };
}

/** Writes the SDK's logs to the process's log: levels and messages, without the attached details. */
function temporalLogger(configuration: Configuration, logger: Logger): DefaultLogger {
  const level = configuration.logLevel === 'debug' ? 'DEBUG' : 'WARN';
  return new DefaultLogger(level, (entry) => {
    const meta: Record<string, unknown> = entry.meta ?? {};
    const { workflowType, workflowId, activityType, attempt, taskQueue } = meta;
    const fields = { workflowType, workflowId, activityType, attempt, taskQueue };
    if (entry.level === 'ERROR') logger.error(fields, entry.message);
    else if (entry.level === 'WARN') logger.warn(fields, entry.message);
    else logger.debug(fields, entry.message);
  });
}

function endWith(error: Error): never {
  const sentence =
    error instanceof ConfigurationError ? error.message : `The worker failed: ${String(error?.message)}`;
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}

main().catch(endWith);
