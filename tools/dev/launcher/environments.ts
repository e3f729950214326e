import { postgresUrl } from '../provision/postgres-server.js';
import type { LocalSecrets } from './local-secrets.js';
import type { Environment, LocalSettings } from './local-settings.js';

export interface Addresses {
  baseUrl: string;
  workerHealthUrl: string;
  temporalAddress: string;
  temporalUi: string | null;
  carrierSimulator: string | null;
  modelSimulator: string | null;
  /** The simulated mailboxes. */
  mailSimulator: string | null;
  webhookSink: string;
  migratorUrl: string;
  appUrl: string;
  relayUrl: string;
}

export const databaseName = 'wes';

/** The sender of login codes; exists only in the simulated carrier. */
const simulatedLoginNumber = '+15550100199';

/** Numbers that workspaces can take; they exist only in the simulated carrier. */
const simulatedPool = '+15550100101,+15550100102,+15550100103';

/** Loopback is allowed as a webhook target, for the webhook sink and for receivers under development. */
const thisMachine = '127.0.0.0/8';

/** The addresses of all parts of the started system. */
export function addressesOf(settings: LocalSettings, secrets: LocalSecrets): Addresses {
  const { ports, temporal } = settings;
  const at = (port: number) => `http://127.0.0.1:${port}`;
  const role = (user: keyof LocalSecrets['roles']) =>
    postgresUrl({ user, password: secrets.roles[user], port: ports.postgres.port, database: databaseName });
  return {
    baseUrl: at(ports.api.port),
    workerHealthUrl: at(ports.worker.port),
    temporalAddress: temporal?.address ?? `127.0.0.1:${ports.temporal.port}`,
    temporalUi: temporal === undefined ? at(ports.temporalUi.port) : (temporal.uiUrl ?? null),
    carrierSimulator: settings.simulateCarrier ? at(ports.carrier.port) : null,
    modelSimulator: settings.simulateModel ? at(ports.model.port) : null,
    mailSimulator: settings.simulateMail ? at(ports.mail.port) : null,
    webhookSink: at(ports.webhookSink.port),
    migratorUrl: role('wes_migrator'),
    appUrl: role('wes_app'),
    relayUrl: role('wes_relay'),
  };
}

/** The environment of api and worker: the user's environment plus the provisioned settings. */
export function serviceEnvironment(
  environment: Environment,
  settings: LocalSettings,
  secrets: LocalSecrets,
): NodeJS.ProcessEnv {
  const addresses = addressesOf(settings, secrets);
  return {
    ...environment,
    // Listen on loopback only, unless HOST is set.
    HOST: environment.HOST ?? '127.0.0.1',
    PORT: String(settings.ports.api.port),
    PUBLIC_URL: environment.PUBLIC_URL ?? addresses.baseUrl,
    WORKER_HEALTH_PORT: String(settings.ports.worker.port),
    DATABASE_URL: addresses.appUrl,
    RELAY_DATABASE_URL: addresses.relayUrl,
    TEMPORAL_ADDRESS: addresses.temporalAddress,
    // Off: a versioned worker gets no tasks until an operator makes its version current.
    TEMPORAL_DEPLOYMENT_NAME: '',
    TEMPORAL_WORKER_BUILD_ID: '',
    LOGIN_SECRET: environment.LOGIN_SECRET ?? secrets.login,
    ENCRYPTION_KEY: environment.ENCRYPTION_KEY ?? secrets.encryption,
    WEBHOOK_ALLOWED_NETWORKS: environment.WEBHOOK_ALLOWED_NETWORKS ?? thisMachine,
    ...(addresses.carrierSimulator === null
      ? {}
      : {
          TWILIO_ACCOUNT_SID: secrets.carrier.accountSid,
          TWILIO_AUTH_TOKEN: secrets.carrier.authToken,
          TWILIO_API_BASE_URL: addresses.carrierSimulator,
          LOGIN_SMS_FROM: environment.LOGIN_SMS_FROM ?? simulatedLoginNumber,
          PHONE_NUMBER_POOL: environment.PHONE_NUMBER_POOL ?? simulatedPool,
        }),
    ...(addresses.modelSimulator === null
      ? {}
      : { OPENAI_API_KEY: 'simulated', OPENAI_BASE_URL: `${addresses.modelSimulator}/v1` }),
    ...(addresses.mailSimulator === null
      ? {}
      : {
          SMTP_URL: `smtp://127.0.0.1:${settings.ports.smtp.port}`,
          MAIL_FROM: environment.MAIL_FROM ?? 'Sign in <login@example.com>',
        }),
  };
}

export function carrierEnvironment(
  environment: Environment,
  settings: LocalSettings,
  { carrier }: LocalSecrets,
): NodeJS.ProcessEnv {
  return {
    ...environment,
    HOST: '127.0.0.1',
    PORT: String(settings.ports.carrier.port),
    SIMULATED_ACCOUNT_SID: carrier.accountSid,
    SIMULATED_AUTH_TOKEN: carrier.authToken,
  };
}

export function modelEnvironment(environment: Environment, settings: LocalSettings): NodeJS.ProcessEnv {
  return { ...environment, HOST: '127.0.0.1', PORT: String(settings.ports.model.port) };
}

export function mailEnvironment(environment: Environment, { ports }: LocalSettings): NodeJS.ProcessEnv {
  return {
    ...environment,
    HOST: '127.0.0.1',
    PORT: String(ports.mail.port),
    SMTP_PORT: String(ports.smtp.port),
  };
}

export function webhookSinkEnvironment(
  environment: Environment,
  { ports }: LocalSettings,
): NodeJS.ProcessEnv {
  return { ...environment, HOST: '127.0.0.1', PORT: String(ports.webhookSink.port) };
}
