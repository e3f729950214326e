import { join } from 'node:path';
import { parseUrl } from '../../../domain/lib/parse-url.js';
import { postgresUrl } from '../provision/postgres-server.js';
import type { LocalSecrets } from './local-secrets.js';
import type { Environment, LocalSettings } from './local-settings.js';

/** The addresses of the parts of the started system, as `.data/dev.json` has them. */
export interface Addresses {
  /** Without `/api/v2`. */
  baseUrl: string;
  temporalAddress: string;
  /** Null when an external Temporal server is used and TEMPORAL_UI_URL is not set. */
  temporalUi: string | null;
  /** Null when a real carrier is configured. */
  carrierSimulator: string | null;
  /** Null when a real model is configured. */
  modelSimulator: string | null;
  /** Shows the mail that was sent; null when a real mail server is configured. */
  mailSimulator: string | null;
  /** A webhook receiver for development that lists deliveries and can simulate failures; always started. */
  webhookSink: string;
  /** The simulated identity provider of the demo organization; always started. */
  identityProvider: string;
  /** The simulated MCP server of the demo workspace; always started. */
  mcpServer: string;
  /** The simulated website, which crawls read; always started. */
  website: string;
}

export const databaseName = 'wes';

/** The sender of login codes; exists only in the simulated carrier. */
const simulatedLoginNumber = '+15550100199';

/** Numbers that workspaces can take; they exist only in the simulated carrier. */
const simulatedPool = '+15550100101,+15550100102,+15550100103';

/** The domain for whose addresses the simulated mail server sends. */
export const simulatedInboxDomain = 'clinic-mail.example';

/**
 * A hundred times the defaults, so that a load test of the API on this machine is not refused, nor somebody who tries one
 * client after another, each of which costs a login code.
 */
const localRateLimits = {
  RATE_LIMIT_CREDENTIAL: '300000',
  RATE_LIMIT_ACCOUNT: '600000',
  RATE_LIMIT_WORKSPACE: '1200000',
  RATE_LIMIT_ADDRESS: '60000',
  RATE_LIMIT_REFUSALS: '6000',
  LOGIN_CODES_PER_HOUR: '500',
};

/** Loopback is allowed as a webhook target, for the webhook sink and for receivers under development. */
const thisMachine = '127.0.0.0/8';

const at = ({ port }: { port: number }) => `http://127.0.0.1:${port}`;

export function addressesOf({ ports, temporal, ...settings }: LocalSettings): Addresses {
  return {
    baseUrl: at(ports.api),
    temporalAddress: temporal?.address ?? `127.0.0.1:${ports.temporal.port}`,
    temporalUi: temporal === undefined ? at(ports.temporalUi) : (temporal.uiUrl ?? null),
    carrierSimulator: settings.simulateCarrier ? at(ports.carrier) : null,
    modelSimulator: settings.simulateModel ? at(ports.model) : null,
    mailSimulator: settings.simulateMail ? at(ports.mail) : null,
    webhookSink: at(ports.webhookSink),
    identityProvider: at(ports.identityProvider),
    mcpServer: at(ports.mcpServer),
    website: at(ports.websiteItself),
  };
}

export function databaseUrl(
  user: keyof LocalSecrets['roles'],
  { ports }: LocalSettings,
  { roles }: LocalSecrets,
): string {
  return postgresUrl({ user, password: roles[user], port: ports.postgres.port, database: databaseName });
}

export function serviceEnvironment(
  environment: Environment,
  settings: LocalSettings,
  secrets: LocalSecrets,
): NodeJS.ProcessEnv {
  const addresses = addressesOf(settings);
  return {
    ...localRateLimits,
    ...environment,
    // Listen on loopback only, unless HOST is set.
    HOST: environment.HOST ?? '127.0.0.1',
    PORT: String(settings.ports.api.port),
    PUBLIC_URL: environment.PUBLIC_URL ?? addresses.baseUrl,
    WORKER_HEALTH_PORT: String(settings.ports.worker.port),
    MEDIA_PORT: String(settings.ports.media.port),
    MEDIA_HEALTH_PORT: String(settings.ports.mediaHealth.port),
    MEDIA_PUBLIC_URL: environment.MEDIA_PUBLIC_URL ?? mediaUrl(environment, settings),
    // Ctrl-C ends the calls of this machine.
    MEDIA_DRAIN: environment.MEDIA_DRAIN ?? '0',
    DATABASE_URL: databaseUrl('wes_app', settings, secrets),
    RELAY_DATABASE_URL: databaseUrl('wes_relay', settings, secrets),
    TEMPORAL_ADDRESS: addresses.temporalAddress,
    TEMPORAL_UI_URL: addresses.temporalUi ?? '',
    // Off: a versioned worker gets no tasks until an operator makes its version current.
    TEMPORAL_DEPLOYMENT_NAME: '',
    TEMPORAL_WORKER_BUILD_ID: '',
    LOGIN_SECRET: environment.LOGIN_SECRET ?? secrets.login,
    ENCRYPTION_KEY: environment.ENCRYPTION_KEY ?? secrets.encryption,
    STORAGE_FOLDER: environment.STORAGE_FOLDER ?? join(settings.dataFolder, 'storage'),
    OAUTH_REGISTRATION: environment.OAUTH_REGISTRATION ?? String(isForThisMachine(environment)),
    OAUTH_ALLOWED_NETWORKS: environment.OAUTH_ALLOWED_NETWORKS ?? thisMachine,
    WEBHOOK_ALLOWED_NETWORKS: environment.WEBHOOK_ALLOWED_NETWORKS ?? thisMachine,
    SSO_ALLOWED_NETWORKS: environment.SSO_ALLOWED_NETWORKS ?? thisMachine,
    INBOX_ALLOWED_NETWORKS: environment.INBOX_ALLOWED_NETWORKS ?? thisMachine,
    ...(addresses.carrierSimulator !== null && {
      TWILIO_ACCOUNT_SID: secrets.carrier.accountSid,
      TWILIO_AUTH_TOKEN: secrets.carrier.authToken,
      TWILIO_API_BASE_URL: addresses.carrierSimulator,
      LOGIN_SMS_FROM: environment.LOGIN_SMS_FROM ?? simulatedLoginNumber,
      PHONE_NUMBER_POOL: environment.PHONE_NUMBER_POOL ?? simulatedPool,
    }),
    ...(addresses.modelSimulator !== null && {
      OPENAI_API_KEY: 'simulated',
      OPENAI_BASE_URL: `${addresses.modelSimulator}/v1`,
    }),
    ...(addresses.mailSimulator !== null && {
      SMTP_URL: `smtp://127.0.0.1:${settings.ports.smtp.port}`,
      MAIL_FROM: environment.MAIL_FROM ?? 'Sign in <login@example.com>',
      INBOX_DOMAIN: environment.INBOX_DOMAIN ?? simulatedInboxDomain,
    }),
  };
}

const loopback = new Set(['127.0.0.1', '::1', '[::1]', 'localhost']);

/** Whether only this machine reaches the api: then nobody else can register clients. */
function isForThisMachine({ HOST: host = '127.0.0.1', PUBLIC_URL: publicUrl }: Environment): boolean {
  return loopback.has(host) && (publicUrl === undefined || loopback.has(parseUrl(publicUrl)?.hostname ?? ''));
}

/** Behind a public address, the proxy that has it brings the streams to this process. */
function mediaUrl({ PUBLIC_URL: publicUrl }: Environment, { ports }: LocalSettings): string {
  return publicUrl?.replace(/^http/, 'ws') ?? at(ports.media).replace('http', 'ws');
}

/** The simulators to start, with the addresses at which they say that they are up. */
export function simulatorsOf({ ports, ...settings }: LocalSettings) {
  return [
    { name: 'carrier', isUsed: settings.simulateCarrier, at: at(ports.carrier) },
    { name: 'model', isUsed: settings.simulateModel, at: at(ports.model) },
    { name: 'mail', isUsed: settings.simulateMail, at: at(ports.mail) },
    { name: 'webhook-sink', isUsed: true, at: at(ports.webhookSink) },
    { name: 'identity-provider', isUsed: true, at: at(ports.identityProvider) },
    { name: 'mcp-server', isUsed: true, at: at(ports.mcpServer) },
    { name: 'website', isUsed: true, at: at(ports.website) },
  ].filter(({ isUsed }) => isUsed);
}

/** The environment of the simulators: the ports, which have the same variables there, and the carrier's credentials. */
export function simulatorEnvironment(
  environment: Environment,
  { ports }: LocalSettings,
  { carrier }: LocalSecrets,
): NodeJS.ProcessEnv {
  return {
    ...environment,
    ...Object.fromEntries(Object.values(ports).map(({ variable, port }) => [variable, String(port)])),
    HOST: '127.0.0.1',
    SIMULATED_ACCOUNT_SID: carrier.accountSid,
    SIMULATED_AUTH_TOKEN: carrier.authToken,
  };
}
