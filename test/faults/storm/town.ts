import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { updatePhoneNumber } from '../../../domain/channels/phone-numbers/update-phone-number.js';
import { freePort } from '../../../tools/dev/provision/ports.js';
import { reconcilerScheduleId } from '../../../workflows/contracts/runs.js';
import { type OpenInbox, openInbox } from '../../support/emails/open-inbox.js';
import { type OwnPostgres, startOwnPostgres } from '../../support/faults/own-postgres.js';
import { type SilentPostgres, silentPostgres } from '../../support/faults/silent-postgres.js';
import { startApiProcess, startMediaProcess, startWorkerProcess } from '../../support/run/service-process.js';
import { addPublishedPage } from '../../support/sites/add-published-page.js';
import { addSite } from '../../support/sites/add-site.js';
import { createSmsWorkspace, type SmsWorkspace, type Texter } from '../../support/system/sms-workspace.js';
import { startSystem, type TestSystem } from '../../support/system/system.js';
import { pauseSchedule } from '../../support/temporal/pause-schedule.js';
import { type OwnTemporal, startOwnTemporal } from '../../support/temporal/temporal.js';
import { subscribeToAllEvents } from '../../support/webhooks/event-rules.js';
import { addPhoneNumber } from '../../support/workspace/definitions.js';
import { uniquePhone } from '../../support/workspace/factories.js';
import { testInboxDomain } from '../../support/workspace/inboxes.js';
import { doors } from '../../workflows/small-trees.js';
import { startWithholdingProxy, type WithholdingProxy } from '../withholding-proxy.js';
import { agentBounds } from './agents.js';
import { Mortal } from './mortal.js';
import { persons, strangers } from './operations.js';

/** For how long mail servers try again what the service refuses for now. */
const mailPatienceMs = 300_000;

/** Where a storm takes place: servers, processes, a workspace and the people in it. */
export interface Town {
  postgres: OwnPostgres;
  temporal: OwnTemporal;
  /** Simulators, and clients for looking on; its own api, worker and relay do nothing here. */
  system: TestSystem;
  api: Mortal;
  worker: Mortal;
  media: Mortal;
  /** Between api, worker and relay, and the database. */
  databaseLine: SilentPostgres;
  /** Where api and worker keep the bytes of files. */
  storageFolder: string;
  carrierLine: WithholdingProxy;
  /** Where clients and carriers reach the api, whichever process it is. */
  apiUrl: string;
  workspace: SmsWorkspace;
  /** Where members write to. */
  inbox: OpenInbox;
  definitionId: number;
  /** The page that the desk writes. */
  page: { siteId: number; id: number };
  /** The number that calls members. */
  voiceNumberId: number;
  people: Texter[];
  strangerPhones: string[];
  stop(): Promise<void>;
}

/** Servers and processes of its own, so that they can be killed. Takes some seconds. */
export async function startTown(): Promise<Town> {
  const [postgres, temporal] = await Promise.all([startOwnPostgres(), startOwnTemporal()]);
  const { address: temporalAddress } = temporal;
  const system = await startSystem({ testDatabase: postgres, temporalAddress, relay: false, worker: false });
  const carrierLine = await startWithholdingProxy(system.carrier.url);
  carrierLine.withhold(false);
  const databaseLine = await silentPostgres(postgres.appUrl);
  const storageFolder = mkdtempSync(join(realpathSync(tmpdir()), 'wes-storm-'));
  const [port, streamPort] = [await freePort(), await freePort()];
  const apiUrl = `http://127.0.0.1:${port}`;
  const options = {
    system,
    testDatabase: {
      appUrl: databaseLine.throughIt(postgres.appUrl),
      relayUrl: databaseLine.throughIt(postgres.relayUrl),
    },
    publicUrl: apiUrl,
    carrierUrl: carrierLine.url,
    env: {
      STORAGE_FOLDER: storageFolder,
      MEDIA_PORT: String(streamPort),
      MEDIA_PUBLIC_URL: `ws://127.0.0.1:${streamPort}`,
      SMTP_URL: system.mail.smtpUrl,
      MAIL_FROM: 'Sign in <login@example.com>',
      INBOX_DOMAIN: testInboxDomain,
      AGENT_UNATTENDED_TURNS: String(agentBounds.unattendedTurns),
      AGENT_UNATTENDED_FOLLOW_UPS: String(agentBounds.unattendedFollowUps),
      AGENT_PENDING_FOLLOW_UPS: String(agentBounds.pendingFollowUps),
      AGENT_FOLLOW_UP_DELAY: '1',
    },
  };
  const api = new Mortal('api', () => startApiProcess(options, port));
  const worker = new Mortal('worker', () => startWorkerProcess(options));
  const media = new Mortal('media', () => startMediaProcess(options));
  await Promise.all([api.start(), worker.start(), media.start()]);
  // It mends every five minutes what this looks for: what got lost has to stay lost.
  await pauseSchedule(system.client, reconcilerScheduleId);

  const workspace = await createSmsWorkspace({ ...system, api: { ...system.api, baseUrl: apiUrl } });
  await subscribeToAllEvents(workspace);
  const inbox = await openInbox(
    { ...system, api: { ...system.api, baseUrl: apiUrl } },
    workspace,
    mailPatienceMs,
  );
  const definitionId = await workspace.publish(doors);
  const inbound = { inboundWorkflowId: definitionId };
  await updatePhoneNumber(workspace.context(), workspace.phoneNumberId, inbound);
  const { id: voiceNumberId } = await addPhoneNumber(workspace, { voiceEnabled: true });
  const { id: siteId } = await addSite(workspace);
  const { id: pageId } = await addPublishedPage(workspace.asAdmin, siteId);
  const people: Texter[] = [];
  for (let person = 0; person < persons; person += 1) people.push(await workspace.addTexter());

  return {
    postgres,
    temporal,
    system,
    api,
    worker,
    media,
    databaseLine,
    storageFolder,
    carrierLine,
    apiUrl,
    workspace,
    inbox,
    definitionId,
    page: { siteId, id: pageId },
    voiceNumberId,
    people,
    strangerPhones: Array.from({ length: strangers }, uniquePhone),
    async stop() {
      await Promise.all([api.kill(), worker.kill(), media.kill()]);
      await Promise.all([carrierLine.close(), databaseLine.close()]);
      await system.stop();
      await Promise.all([temporal.stop(), postgres.stop()]);
      rmSync(storageFolder, { recursive: true, force: true });
    },
  };
}
