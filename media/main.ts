import { randomUUID } from 'node:crypto';
import { createBridgeListener } from '../db/calls/bridge-notices.js';
import { Database } from '../db/database.js';
import { createLivePublisher } from '../db/live/live-publisher.js';
import type { CallBackendContext } from '../domain/agent/voice/call-backend.js';
import { CallStates } from '../domain/agent/voice/call-states.js';
import { liveOutreach } from '../domain/calls/live-outreach.js';
import { StreamTokens } from '../domain/calls/stream-tokens.js';
import { observeAlerts } from '../domain/kernel/alert-colleague.js';
import { observeOccurrences } from '../domain/kernel/occurrences.js';
import { systemClock } from '../domain/lib/clock.js';
import { Encryption } from '../domain/lib/encryption.js';
import { TwilioCarrier } from '../providers/carrier/twilio-carrier.js';
import { OpenAiChatModel, type OpenAiChatModelOptions } from '../providers/model/openai-chat-model.js';
import { ProviderState } from '../providers/provider-state.js';
import { guardRealtime } from '../providers/realtime/guard-realtime.js';
import { OpenAiRealtime } from '../providers/realtime/openai-realtime.js';
import { createRequestSender } from '../providers/requests/create-request-sender.js';
import { guardStorage } from '../providers/storage/guard-storage.js';
import { ConfigurationError, readConfiguration } from '../runtime/configuration.js';
import { checkStorage, collectSpools, createStorage } from '../runtime/create-storage.js';
import { safeCode } from '../runtime/error-codes.js';
import { createLogger, endOnCrash } from '../runtime/logger.js';
import { createMediaMetrics } from '../runtime/media-metrics.js';
import { loadModelCatalogue } from '../runtime/model-catalogue.js';
import { reportConditions } from '../runtime/report-conditions.js';
import { serveHealth } from '../runtime/serve-health.js';
import { SegmentKeeper } from './recorder/segment-keeper.js';
import { CallKeeper } from './sessions/call-keeper.js';
import { type ConductorOptions, conductCall } from './sessions/conduct-call.js';
import { sendRequest } from './sessions/send-request.js';
import { StreamServer } from './streams/stream-server.js';

/** A process that has not renewed its leases for so long cannot admit a call either. */
const readyWithinMs = 30_000;
/** What is left to do once the last call has ended. */
const stopWithinMs = 60_000;
const limits = { beforeStart: 100, startWithinMs: 5_000 };

/** The media process: holds the streams of calls until it receives a signal to stop, and then until they have ended. */
async function main(): Promise<void> {
  const configuration = readConfiguration();
  const { media, databaseUrl, encryption } = configuration;
  const logger = createLogger({ level: configuration.logLevel, process: 'media' });
  endOnCrash(logger);
  const metrics = createMediaMetrics();
  observeAlerts(({ workspaceId, chatId, reason }) => {
    logger.warn({ workspaceId, chatId, reason }, 'a chat needs a person');
  });
  observeOccurrences((happening) => logger.warn(happening, 'an operator may have to look'));
  const onFailure = (error: unknown) => {
    metrics.failed();
    logger.error({ code: safeCode(error) }, 'a call is not served as it should be');
  };

  const observe = reportConditions(logger, metrics.observeProvider);
  const stateOf = (provider: 'model' | 'storage') =>
    new ProviderState({ provider, now: () => systemClock.now(), observe });

  const live = createLivePublisher(databaseUrl);
  const db = new Database({
    url: databaseUrl,
    name: 'wes-media',
    poolSize: 10,
    onOutboxWritten: live.outboxWritten,
    onChatsChanged: live.chatsChanged,
  });
  const storage = createStorage(configuration.storage, db);
  const context = { db, clock: systemClock };
  const requests = createRequestSender({ allowedNetworks: configuration.webhooks.allowedNetworks });
  const backendContext: CallBackendContext = {
    ...context,
    agentBudgets: configuration.agentBudgets,
    models: loadModelCatalogue(configuration),
    outreach: liveOutreach,
    encryption: new Encryption(encryption.key, encryption.previous),
    sendRequest: (claimed) => sendRequest(requests, claimed),
    callStates: new CallStates(db),
  };
  const models = configuration.model && guarded(configuration.model, stateOf('model'));
  const segments = new SegmentKeeper({
    context,
    storage: guardStorage(storage, stateOf('storage')),
    onStored: () => metrics.segment('stored'),
    onLost({ workspaceId, recordingId }, code) {
      metrics.segment('lost');
      logger.error({ workspaceId, recordingId, code }, 'a part of a recording is lost');
    },
  });
  const processId = randomUUID();
  const tokens = new StreamTokens([encryption.key, encryption.previous ?? []].flat());
  const calls = new CallKeeper({
    context,
    admission: { tokens, processId, callsPerWorkspace: media.callsPerWorkspace },
    segments,
    conduct: (call) => conductCall(call, { context: backendContext, models, logger, signal: live.signal }),
    now: () => performance.now(),
    onRefused(reason) {
      metrics.refused(reason);
      logger.warn({ reason }, 'a stream is not admitted');
    },
    onFailure,
    onEnded: (reason) => metrics.ended(reason),
  });
  const server = new StreamServer({
    publicUrl: media.publicUrl,
    carrier: configuration.carrier && new TwilioCarrier(configuration.carrier),
    limits: { ...limits, sockets: media.calls + limits.beforeStart },
    mayBegin: () => calls.size < media.calls,
    admit: (start, stream) => calls.admit(start, stream),
    admitText: (setup, line) => calls.admitText(setup, line),
    onRefused(reason) {
      metrics.refused(reason);
      logger.debug({ reason }, 'a socket is refused');
    },
    onFailure,
  });
  metrics.observe({ calls: () => calls.size, segments: () => segments.size });
  const listener = createBridgeListener({ url: databaseUrl }, processId, () => calls.look());

  let isStopping = false;
  const stopping = new Promise<NodeJS.Signals>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, resolve);
  });
  const health = await serveHealth(media.healthPort, configuration.host, {
    isReady: () => !isStopping && calls.sinceRenewedMs < readyWithinMs,
    registry: metrics.registry,
  });
  void checkStorage(storage, logger);
  collectSpools(storage, logger);
  calls.start();
  listener.start();
  await server.listen(media.port, configuration.host);
  logger.info({ port: media.port, processId }, 'media started');

  logger.info({ signal: await stopping, calls: calls.size }, 'media stopping');
  isStopping = true;
  server.drain();
  // The carriers of calls that are left then come to another process.
  const patience = setTimeout(() => calls.stopAll(), media.drainMs);
  await calls.ended();
  clearTimeout(patience);
  // Forces the exit; the timer itself does not keep the process alive.
  setTimeout(() => process.exit(1), stopWithinMs).unref();
  await segments.end();
  await Promise.all([server.close(), listener.close(), live.close()]);
  health.close();
  requests.close();
  await db.close();
  logger.info('media stopped');
}

function guarded(account: OpenAiChatModelOptions, state: ProviderState): ConductorOptions['models'] {
  const chat = new OpenAiChatModel(account);
  return {
    realtime: guardRealtime(new OpenAiRealtime(account), state),
    chat: { complete: (request) => state.call(() => chat.complete(request)) },
  };
}

main().catch((error: Error) => {
  const sentence =
    error instanceof ConfigurationError
      ? error.message
      : `The media process failed: ${String(error?.message)}`;
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
});
