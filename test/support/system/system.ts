import type { Client, WorkflowHandle } from '@temporalio/client';
import { type Logger, pino } from 'pino';
import { simulatedModel } from '../../../api/simulated-model.js';
import { createBridgeNotifier } from '../../../db/calls/bridge-notices.js';
import { Database } from '../../../db/database.js';
import { createLivePublisher } from '../../../db/live/live-publisher.js';
import { liveOutreach } from '../../../domain/calls/live-outreach.js';
import { FileAddresses } from '../../../domain/files/file-addresses.js';
import { type AgentBudgets, defaultAgentBudgets } from '../../../domain/kernel/agent-budgets.js';
import { type Clock, systemClock } from '../../../domain/lib/clock.js';
import { TwilioCarrier } from '../../../providers/carrier/twilio-carrier.js';
import { SmtpMail } from '../../../providers/mail/smtp-mail.js';
import { SmtpRelay } from '../../../providers/mail/smtp-relay.js';
import { OpenAiChatModel } from '../../../providers/model/openai-chat-model.js';
import { SourceSites } from '../../../providers/source-site/source-site.js';
import type { Storage } from '../../../providers/storage/storage.js';
import { AddressPolicy } from '../../../providers/webhook/address-policy.js';
import type { WorkerVersion } from '../../../runtime/configuration.js';
import { createMetrics } from '../../../runtime/metrics.js';
import { Relay } from '../../../runtime/relay/relay.js';
import { createRunsClient, type RunsClient } from '../../../runtime/runs-client.js';
import { createTemporalClient } from '../../../runtime/temporal/connect.js';
import { createRunInspector } from '../../../runtime/worker/run-inspector.js';
import { type RunType, workflowIdOf } from '../../../workflows/contracts/runs.js';
import { startApi, type TestApi } from '../api/api.js';
import { createLiveChats } from '../api/live.js';
import { testLoginSecret, testLoginSecretText, testLoginSmsFrom } from '../api/login.js';
import { createTestDatabase, type TestDatabase } from '../db/database.js';
import { catalogueWith } from '../lib/models.js';
import { testRequests } from '../lib/requests.js';
import { workflowBundle } from '../run/backend-client.js';
import { type SimulatedCarrier, startCarrier } from '../simulators/simulated-carrier.js';
import { type SimulatedMail, startMail } from '../simulators/simulated-mail.js';
import { type SimulatedModel, startModel } from '../simulators/simulated-model.js';
import { scratchStorage } from '../storage/scratch-storage.js';
import { createDevEngine, type Engine, type RunningWorker } from '../temporal/engine.js';
import { installRuntime } from '../temporal/install-runtime.js';
import { testWebhooks } from '../webhooks/webhooks.js';
import { testInboxDomain, testMailHosts } from '../workspace/inboxes.js';

export interface SystemOptions {
  /** A database on a server of one's own; stays when the system stops. */
  testDatabase?: Omit<TestDatabase, 'drop'>;
  temporalAddress?: string;
  /** Temporal and its workers, where they are no dev server's. */
  engine?: Engine;
  /** File of the bundled runs; absent: the test run's. */
  workflowBundle?: string;
  clock?: Clock;
  /** Where the carrier opens the streams of calls. */
  streamUrl?: string;
  /** False: started by the test when it wants. */
  relay?: boolean;
  worker?: boolean;
  logger?: Logger;
  /** Instead of the service's own, of which the least delay of a follow-up would be too long for most tests. */
  agentBudgets?: Partial<AgentBudgets>;
  /** Where api and worker keep the bytes of files; absent: a folder that is removed at the end. */
  storage?: Storage;
  /** The authority that the web services of agents' requests are certified by. */
  requestsCa?: string;
  /** Of webhooks: the delays before each attempt, unless the service's own. */
  retryDelaysMs?: readonly number[];
  /** The pause between two requests to a site that is crawled. */
  crawlDelayMs?: number;
}

/** The whole service in this process, on a database and a Temporal namespace of its own. */
export interface TestSystem {
  database: Database;
  clock: Clock;
  temporal: { address: string; namespace: string };
  client: Client;
  runs: RunsClient;
  api: TestApi;
  carrier: SimulatedCarrier;
  model: SimulatedModel;
  mail: SimulatedMail;
  storage: Storage;
  relay: Relay;
  startRelay(): void;
  /** Absent: an unversioned one. */
  startWorker(version?: WorkerVersion): Promise<RunningWorker>;
  stopWorker(): Promise<void>;
  run(runType: RunType, subject: string): WorkflowHandle;
  stop(): Promise<void>;
}

const localSites = new AddressPolicy({ requireHttps: false, allowedNetworks: ['127.0.0.1/32'] });

/** Starts api, worker, relay and simulators in this process. Takes about a second. */
export async function startSystem(options: SystemOptions = {}): Promise<TestSystem> {
  installRuntime();
  const logger = options.logger ?? pino({ level: process.env.TEST_LOG_LEVEL ?? 'silent' });
  const clock = options.clock ?? systemClock;
  const dropped = options.testDatabase === undefined ? await createTestDatabase() : undefined;
  const { appUrl, relayUrl } = options.testDatabase ?? (dropped as TestDatabase);
  const engine = options.engine ?? (await createDevEngine(options.temporalAddress));
  const { temporal } = engine;
  const bundle = options.workflowBundle ?? (await workflowBundle()).path;
  const [carrier, model, mail] = await Promise.all([startCarrier(), startModel(), startMail()]);

  const client = createTemporalClient(temporal);
  const { relay: metrics } = createMetrics();
  const relay = new Relay({ databaseUrl: relayUrl, temporal: client, logger, metrics });
  const publisher = createLivePublisher(appUrl);
  const bridges = createBridgeNotifier(appUrl);
  const database = new Database({
    url: appUrl,
    poolSize: 20,
    onOutboxWritten: () => relay.wake(),
    onChatsChanged: publisher.chatsChanged,
  });
  const live = createLiveChats(database, appUrl, publisher);
  const runs = createRunsClient({ temporal }, logger);
  const carrierClient = new TwilioCarrier(carrier.credentials);
  const chatModel = new OpenAiChatModel({ apiKey: 'simulated', baseUrl: `${model.url}/v1` });
  const scratch = scratchStorage();
  const storage = options.storage ?? scratch.storage;
  const api = await startApi(database, {
    runs,
    live,
    carrier: carrierClient,
    clock,
    logger,
    storage,
    streamUrl: options.streamUrl,
    askModel: simulatedModel(chatModel),
  });

  const smsLimits = { perDay: 0, perCountryPerDay: 0 };
  const webhooks = testWebhooks(options.retryDelaysMs);
  const requests = testRequests(options.requestsCa);
  let relayStarted = false;
  const workers = new Set<RunningWorker>();

  const system: TestSystem = {
    database,
    clock,
    temporal,
    client,
    runs,
    api,
    carrier,
    model,
    mail,
    storage,
    relay,
    startRelay() {
      relayStarted = true;
      relay.start();
    },
    async startWorker(version) {
      const worker = await engine.startWorker({
        temporal,
        ...(version === undefined ? {} : { version }),
        client,
        logger,
        workflowBundle: bundle,
        dependencies: {
          db: database,
          clock,
          outreach: liveOutreach,
          agentBudgets: { ...defaultAgentBudgets, followUpDelayMs: 0, ...options.agentBudgets },
          logger,
          runs: createRunInspector(client),
          live: publisher,
          bridges,
          publicUrl: api.baseUrl,
          carrier: carrierClient,
          models: catalogueWith(),
          model: chatModel,
          mail: new SmtpMail({ url: mail.smtpUrl, from: 'Sign in <login@example.com>' }),
          email: {
            relay: new SmtpRelay({ url: mail.smtpUrl, hosts: testMailHosts, timeoutMs: 2_000 }),
            domain: testInboxDomain,
          },
          login: { secret: testLoginSecret, smsFrom: testLoginSmsFrom, smsLimits },
          storage,
          domainRecords: { textsOf: async () => ({ kind: 'none' }) },
          crawl: { source: new SourceSites(localSites), delayMs: options.crawlDelayMs ?? 10 },
          fileAddresses: new FileAddresses([testLoginSecretText], `${api.baseUrl}/api/v2`),
          bytesPerWorkspace: 1_073_741_824,
          webhooks,
          requests,
        },
      });
      workers.add(worker);
      return worker;
    },
    async stopWorker() {
      await Promise.all([...workers].map((worker) => worker.stop()));
      workers.clear();
    },
    run: (runType, subject) => client.workflow.getHandle(workflowIdOf(runType, subject)),
    async stop() {
      await model.release().catch(() => undefined);
      await system.stopWorker();
      if (relayStarted) await relay.stop();
      webhooks.sender.close();
      requests.sender.close();
      await live.close();
      await Promise.all([api.close(), carrier.close(), model.close(), mail.close()]);
      await Promise.all([
        publisher.close(),
        bridges.close(),
        database.close(),
        runs.close(),
        client.connection.close(),
      ]);
      scratch.remove();
      await dropped?.drop();
    },
  };
  if (options.relay !== false) system.startRelay();
  if (options.worker !== false) await system.startWorker();
  return system;
}
