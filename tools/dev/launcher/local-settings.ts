import { resolve } from 'node:path';
import { readTemporalConfiguration, type TemporalConfiguration } from '../../../runtime/configuration.js';
import type { NamedPort } from '../provision/ports.js';
import { ProvisioningError } from '../provision/provisioning-error.js';

export type Environment = Readonly<Record<string, string | undefined>>;

const defaultPorts = {
  api: { user: 'the api', variable: 'PORT', port: 3000 },
  worker: { user: 'the worker’s health endpoint', variable: 'WORKER_HEALTH_PORT', port: 3001 },
  media: { user: 'the streams of calls', variable: 'MEDIA_PORT', port: 3002 },
  mediaHealth: { user: 'the media process’s health endpoint', variable: 'MEDIA_HEALTH_PORT', port: 3003 },
  postgres: { user: 'PostgreSQL', variable: 'POSTGRES_PORT', port: 5433 },
  temporal: { user: 'Temporal', variable: 'TEMPORAL_PORT', port: 7233 },
  temporalUi: { user: 'the Temporal UI', variable: 'TEMPORAL_UI_PORT', port: 8233 },
  carrier: { user: 'the carrier simulator', variable: 'CARRIER_SIMULATOR_PORT', port: 4010 },
  model: { user: 'the model simulator', variable: 'MODEL_SIMULATOR_PORT', port: 4011 },
  smtp: { user: 'the mail simulator', variable: 'MAIL_SIMULATOR_SMTP_PORT', port: 4012 },
  mail: { user: 'the mail simulator’s mailbox', variable: 'MAIL_SIMULATOR_PORT', port: 4013 },
  webhookSink: { user: 'the webhook sink', variable: 'WEBHOOK_SINK_PORT', port: 4014 },
  identityProvider: { user: 'the identity provider', variable: 'IDENTITY_PROVIDER_PORT', port: 4015 },
  mcpServer: { user: 'the MCP server simulator', variable: 'MCP_SERVER_SIMULATOR_PORT', port: 4016 },
  signIn: { user: 'the sign-in links of the demo', variable: 'SIGN_IN_PORT', port: 4017 },
  website: { user: 'the website simulator', variable: 'WEBSITE_SIMULATOR_PORT', port: 4018 },
  websiteItself: { user: 'the simulated website', variable: 'WEBSITE_PORT', port: 4019 },
} satisfies Record<string, NamedPort>;

/** The environment variables that `npm start` itself uses; the processes get the others unchanged. */
export interface LocalSettings {
  dataFolder: string;
  ports: typeof defaultPorts;
  /** An external Temporal server; without it, the launcher starts a dev server. */
  temporal?: TemporalConfiguration & { uiUrl?: string };
  simulateCarrier: boolean;
  simulateModel: boolean;
  simulateMail: boolean;
}

/** @throws ProvisioningError naming the variable with an invalid value */
export function readLocalSettings(environment: Environment, projectFolder: string): LocalSettings {
  const text = (name: string) => environment[name]?.trim() || undefined;
  const ports = structuredClone(defaultPorts);
  for (const named of Object.values(ports)) {
    named.port = Number(text(named.variable) ?? named.port);
    if (!Number.isInteger(named.port) || named.port < 1 || named.port > 65_535) {
      throw new ProvisioningError(`${named.variable} must be a port number from 1 to 65535.`);
    }
  }
  const uiUrl = text('TEMPORAL_UI_URL');
  const temporal = { ...readTemporalConfiguration(environment), ...(uiUrl === undefined ? {} : { uiUrl }) };
  return {
    dataFolder: resolve(projectFolder, text('DATA_FOLDER') ?? '.data'),
    ports,
    ...(text('TEMPORAL_ADDRESS') === undefined ? {} : { temporal }),
    simulateCarrier: text('TWILIO_ACCOUNT_SID') === undefined,
    simulateModel: text('OPENAI_API_KEY') === undefined,
    simulateMail: text('SMTP_URL') === undefined,
  };
}

export function usedPorts(settings: LocalSettings): NamedPort[] {
  const { ports, temporal, simulateCarrier, simulateModel, simulateMail } = settings;
  return [
    ports.api,
    ports.worker,
    ports.media,
    ports.mediaHealth,
    ports.postgres,
    ...(temporal === undefined ? [ports.temporal, ports.temporalUi] : []),
    ...(simulateCarrier ? [ports.carrier] : []),
    ...(simulateModel ? [ports.model] : []),
    ...(simulateMail ? [ports.smtp, ports.mail, ports.signIn] : []),
    ports.webhookSink,
    ports.identityProvider,
    ports.mcpServer,
    ports.website,
    ports.websiteItself,
  ];
}
