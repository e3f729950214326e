import { defaultRetryDelaysMs } from '../domain/events/webhook-deliveries/schedule.js';
import { type AgentBudgets, defaultAgentBudgets } from '../domain/kernel/agent-budgets.js';
import type { InstallationPolicy } from '../domain/kernel/installation-policy.js';
import { normalizePhone } from '../domain/lib/phone.js';
import { isNetwork } from '../providers/webhook/networks.js';
import { productionFaults } from './check-production.js';

/** A version of the worker in Temporal's worker deployments. */
export interface WorkerVersion {
  deploymentName: string;
  buildId: string;
}

/** The settings that the processes read from the environment, once, and check at boot. */
export interface Configuration {
  production: boolean;
  /** Whether answers are checked against their declarations. */
  checkResponses: boolean;
  logLevel: string;
  host: string;
  port: number;
  /** The URL at which carriers and clients reach the api, without `/api/v2`. Carrier signatures cover it. */
  publicUrl: string;
  /** Role `wes_app`. */
  databaseUrl: string;
  /** Role `wes_relay`; only the worker needs it. */
  relayDatabaseUrl: string;
  temporal: { address: string; namespace: string; apiKey?: string; tls: boolean };
  /** The version under which the worker polls; absent: it is unversioned. */
  workerVersion?: WorkerVersion;
  /** Absent if no carrier is configured: messages then fail with `carrier_not_configured`. */
  carrier?: { accountSid: string; authToken: string; apiBaseUrl?: string };
  /** Absent if no model is configured: chats are then handed over to a person. */
  model?: {
    apiKey: string;
    baseUrl?: string;
    /** The provider's name in the model catalogue. */
    provider: string;
    /** The recommended chat model, by name or id; absent: the catalogue's recommendation. */
    chatModel?: string;
  };
  /** A JSON file with the deployment's own models and voices. */
  aiModelsFile?: string;
  /** Requests per minute that one api process accepts; 0 means no limit. */
  rateLimits: { credential: number; account: number; workspace: number; address: number; refusals: number };
  /** Number of trusted proxies in front of the api that append to X-Forwarded-For. */
  trustedProxies: number;
  /** Key material for login codes; at least 32 characters. */
  loginSecret: string;
  /** Values that must be readable again are encrypted with `key`; at least 32 characters each. */
  encryption: { key: string; previous?: string };
  /** The number that login codes are sent from; absent: no codes are sent by SMS. */
  loginSmsFrom?: string;
  /** Numbers that workspaces may take (E.164); absent: the pool is not changed. */
  phoneNumberPool?: readonly string[];
  /** Maximum number of login codes by SMS in 24 hours: for the installation, and per country; 0 means no limit. */
  loginSmsLimits: { perDay: number; perCountryPerDay: number };
  /** Absent if no mail server is configured: no mail is sent then. */
  mail?: { url: string; from: string };
  policy: InstallationPolicy;
  webhooks: {
    /** Networks that webhooks may reach although they are not public, such as `10.0.0.0/8`. */
    allowedNetworks: readonly string[];
    /** The delay before each attempt, counted from the previous one. The number of delays is the number of attempts. */
    retryDelaysMs: readonly number[];
  };
  /** The resources that an agent may use before a person has to intervene. */
  agentBudgets: AgentBudgets;
  /** Port of the Temporal SDK's metrics; absent: they are not served. */
  sdkMetricsPort?: number;
  /** Port of the worker's health and metrics. */
  workerHealthPort: number;
}

/** A setting is missing or wrong. The message is one sentence for the operator. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
}

const shortestSecret = 32;
/** In seconds. */
const longestDelay = 7 * 24 * 3_600;

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads the Temporal settings only, for programs that need nothing else. */
export function readTemporalConfiguration(environment: Environment = process.env): Configuration['temporal'] {
  const text = (name: string): string | undefined => environment[name]?.trim() || undefined;
  const apiKey = text('TEMPORAL_API_KEY');
  return {
    address: text('TEMPORAL_ADDRESS') ?? 'localhost:7233',
    namespace: text('TEMPORAL_NAMESPACE') ?? 'default',
    tls: text('TEMPORAL_TLS') === 'true' || apiKey !== undefined,
    ...(apiKey === undefined ? {} : { apiKey }),
  };
}

const defaultDeploymentName = 'workspace-engagement-service';
/** Temporal refuses a dot and a colon, because it uses them to separate deployment and build. */
const deploymentNameForm = /^[A-Za-z0-9][A-Za-z0-9_/-]{0,99}$/;
const buildIdForm = /^[A-Za-z0-9][A-Za-z0-9._+-]{0,99}$/;

/** @throws ConfigurationError that names the variable */
function readWorkerVersion(text: (name: string) => string | undefined): WorkerVersion | undefined {
  const buildId = text('TEMPORAL_WORKER_BUILD_ID');
  const deploymentName = text('TEMPORAL_DEPLOYMENT_NAME');
  if (buildId === undefined) {
    if (deploymentName === undefined) return undefined;
    throw new ConfigurationError('TEMPORAL_DEPLOYMENT_NAME needs TEMPORAL_WORKER_BUILD_ID.');
  }
  if (!buildIdForm.test(buildId)) {
    throw new ConfigurationError(
      'TEMPORAL_WORKER_BUILD_ID has to be at most 100 letters, digits and . _ + -, and begins with a letter or digit.',
    );
  }
  if (deploymentName !== undefined && !deploymentNameForm.test(deploymentName)) {
    throw new ConfigurationError(
      'TEMPORAL_DEPLOYMENT_NAME has to be at most 100 letters, digits and _ / -, and begins with a letter or digit.',
    );
  }
  return { deploymentName: deploymentName ?? defaultDeploymentName, buildId };
}

/** @throws ConfigurationError that names the variable */
export function readConfiguration(environment: Environment = process.env): Configuration {
  const text = (name: string): string | undefined => environment[name]?.trim() || undefined;
  const required = (name: string): string => {
    const value = text(name);
    if (value === undefined) throw new ConfigurationError(`${name} is not set.`);
    return value;
  };
  const port = (name: string, fallback: number): number => {
    const value = Number(text(name) ?? fallback);
    if (!Number.isInteger(value) || value < 0 || value > 65_535) {
      throw new ConfigurationError(`${name} has to be a port number.`);
    }
    return value;
  };

  const count = (name: string, fallback: number): number => {
    const value = Number(text(name) ?? fallback);
    if (!Number.isSafeInteger(value) || value < 0) {
      throw new ConfigurationError(`${name} has to be a whole number, 0 or more.`);
    }
    return value;
  };

  const long = (name: string, value: string): string => {
    if (value.length >= shortestSecret) return value;
    throw new ConfigurationError(`${name} has to have at least ${shortestSecret} characters.`);
  };

  const networks = (name: string): string[] => {
    const listed = (text(name) ?? '').split(',').map((network) => network.trim());
    const named = listed.filter((network) => network !== '');
    if (!named.every(isNetwork)) {
      throw new ConfigurationError(`${name} has to be networks such as 10.0.0.0/8 or fd00::/8, with commas.`);
    }
    return named;
  };

  const delays = (name: string, fallback: readonly number[]): readonly number[] => {
    const listed = text(name);
    if (listed === undefined) return fallback;
    const seconds = listed.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)));
    if (seconds.every((delay) => Number.isSafeInteger(delay) && delay >= 0 && delay <= longestDelay)) {
      return seconds.map((delay) => delay * 1_000);
    }
    throw new ConfigurationError(`${name} has to be whole seconds up to a week, with commas.`);
  };

  const phones = (name: string): string[] | undefined => {
    const listed = text(name)
      ?.split(',')
      .map((number) => number.trim())
      .filter((number) => number !== '');
    return listed?.map((number) => {
      const normalized = number.startsWith('+') ? normalizePhone(number, 'US') : null;
      if (normalized !== null) return normalized;
      throw new ConfigurationError(`${name} has to be numbers in E.164 (+12025550123), with commas.`);
    });
  };

  const production = environment.NODE_ENV === 'production';
  const oneOf = <const Word extends string>(name: string, words: readonly Word[], fallback: Word): Word => {
    const given = text(name) ?? fallback;
    const found = words.find((word) => word === given);
    if (found !== undefined) return found;
    throw new ConfigurationError(`${name} has to be ${words.join(' or ')}.`);
  };

  if (production) {
    const faults = productionFaults(environment);
    if (faults.length > 0) throw new ConfigurationError(`Not for production: ${faults.join(' ')}`);
  }

  const loginSecret = long('LOGIN_SECRET', required('LOGIN_SECRET'));
  const encryptionKey = long('ENCRYPTION_KEY', required('ENCRYPTION_KEY'));
  const previousKey = text('ENCRYPTION_KEY_PREVIOUS');
  const listenPort = port('PORT', 3000);
  const accountSid = text('TWILIO_ACCOUNT_SID');
  const carrierBaseUrl = text('TWILIO_API_BASE_URL');
  const modelKey = text('OPENAI_API_KEY');
  const modelBaseUrl = text('OPENAI_BASE_URL');
  const chatModel = text('CHAT_MODEL');
  const aiModelsFile = text('AI_MODELS_FILE');
  const smtpUrl = text('SMTP_URL');
  const loginNumber = text('LOGIN_SMS_FROM');
  // A carrier also accepts sender names and ids of its own, which are not phone numbers.
  const loginSmsFrom = loginNumber && (normalizePhone(loginNumber, 'US') ?? loginNumber);
  const phoneNumberPool = phones('PHONE_NUMBER_POOL');
  const workerVersion = readWorkerVersion(text);
  if (loginSmsFrom !== undefined && phoneNumberPool?.includes(loginSmsFrom)) {
    throw new ConfigurationError('LOGIN_SMS_FROM must not stand in PHONE_NUMBER_POOL.');
  }

  return {
    production,
    checkResponses: oneOf('CHECK_RESPONSES', ['true', 'false'], production ? 'false' : 'true') === 'true',
    logLevel: text('LOG_LEVEL') ?? 'info',
    host: text('HOST') ?? '0.0.0.0',
    port: listenPort,
    publicUrl: (text('PUBLIC_URL') ?? `http://localhost:${listenPort}`).replace(/\/+$/, ''),
    databaseUrl: required('DATABASE_URL'),
    relayDatabaseUrl: text('RELAY_DATABASE_URL') ?? '',
    temporal: readTemporalConfiguration(environment),
    ...(workerVersion === undefined ? {} : { workerVersion }),
    ...(accountSid === undefined
      ? {}
      : {
          carrier: {
            accountSid,
            authToken: required('TWILIO_AUTH_TOKEN'),
            ...(carrierBaseUrl === undefined ? {} : { apiBaseUrl: carrierBaseUrl }),
          },
        }),
    ...(modelKey === undefined
      ? {}
      : {
          model: {
            apiKey: modelKey,
            provider: text('MODEL_PROVIDER') ?? 'openai',
            ...(chatModel === undefined ? {} : { chatModel }),
            ...(modelBaseUrl === undefined ? {} : { baseUrl: modelBaseUrl }),
          },
        }),
    ...(aiModelsFile === undefined ? {} : { aiModelsFile }),
    rateLimits: {
      credential: count('RATE_LIMIT_CREDENTIAL', 3_000),
      account: count('RATE_LIMIT_ACCOUNT', 6_000),
      workspace: count('RATE_LIMIT_WORKSPACE', 12_000),
      address: count('RATE_LIMIT_ADDRESS', 600),
      refusals: count('RATE_LIMIT_REFUSALS', 60),
    },
    trustedProxies: count('TRUST_PROXY', 0),
    loginSecret,
    encryption: {
      key: encryptionKey,
      ...(previousKey === undefined ? {} : { previous: long('ENCRYPTION_KEY_PREVIOUS', previousKey) }),
    },
    ...(loginSmsFrom === undefined ? {} : { loginSmsFrom }),
    loginSmsLimits: {
      perDay: count('LOGIN_SMS_PER_DAY', 5_000),
      perCountryPerDay: count('LOGIN_SMS_PER_COUNTRY_PER_DAY', 1_000),
    },
    ...(phoneNumberPool === undefined ? {} : { phoneNumberPool }),
    ...(smtpUrl === undefined ? {} : { mail: { url: smtpUrl, from: required('MAIL_FROM') } }),
    policy: {
      workspaceCreation: oneOf(
        'WORKSPACE_CREATION',
        ['anyone', 'superusers'],
        production ? 'superusers' : 'anyone',
      ),
      workspacesPerAccount: count('WORKSPACES_PER_ACCOUNT', 20),
      supportAccessHours: count('SUPPORT_ACCESS_HOURS', 8),
      localHttpOrigins: !production,
    },
    webhooks: {
      allowedNetworks: networks('WEBHOOK_ALLOWED_NETWORKS'),
      retryDelaysMs: delays('WEBHOOK_RETRY_DELAYS', defaultRetryDelaysMs),
    },
    agentBudgets: {
      turnsPerHour: count('AGENT_TURNS_PER_HOUR', defaultAgentBudgets.turnsPerHour),
      turnsPerDay: count('AGENT_TURNS_PER_DAY', defaultAgentBudgets.turnsPerDay),
      unattendedTurns: count('AGENT_UNATTENDED_TURNS', defaultAgentBudgets.unattendedTurns),
      chatTokensPerDay: count('AGENT_CHAT_TOKENS_PER_DAY', defaultAgentBudgets.chatTokensPerDay),
      chatCreditsPerDay: count('AGENT_CHAT_CREDITS_PER_DAY', defaultAgentBudgets.chatCreditsPerDay),
      workspaceTokensPerDay: count(
        'AGENT_WORKSPACE_TOKENS_PER_DAY',
        defaultAgentBudgets.workspaceTokensPerDay,
      ),
      workspaceCreditsPerDay: count(
        'AGENT_WORKSPACE_CREDITS_PER_DAY',
        defaultAgentBudgets.workspaceCreditsPerDay,
      ),
      pendingFollowUps: count('AGENT_PENDING_FOLLOW_UPS', defaultAgentBudgets.pendingFollowUps),
      unattendedFollowUps: count('AGENT_UNATTENDED_FOLLOW_UPS', defaultAgentBudgets.unattendedFollowUps),
      followUpDelayMs: 1_000 * count('AGENT_FOLLOW_UP_DELAY', defaultAgentBudgets.followUpDelayMs / 1_000),
    },
    ...(text('TEMPORAL_METRICS_PORT') === undefined
      ? {}
      : { sdkMetricsPort: port('TEMPORAL_METRICS_PORT', 0) }),
    workerHealthPort: port('WORKER_HEALTH_PORT', 3001),
  };
}
