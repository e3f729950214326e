import { isIP } from 'node:net';
import { type CallPrices, parseCallPrices } from '../domain/calls/call-prices.js';
import type { InboxPolicy } from '../domain/channels/inboxes/inbox-address.js';
import { defaultRetryDelaysMs } from '../domain/events/webhook-deliveries/schedule.js';
import { type AgentBudgets, defaultAgentBudgets } from '../domain/kernel/agent-budgets.js';
import type { InstallationPolicy } from '../domain/kernel/installation-policy.js';
import { normalizeEmail } from '../domain/lib/email.js';
import { parseUrl } from '../domain/lib/parse-url.js';
import { normalizePhone } from '../domain/lib/phone.js';
import { isNetwork } from '../providers/webhook/networks.js';
import { productionFaults } from './check-production.js';

/** The settings that the processes read from the environment, once, and check at boot. */
export type Configuration = ReturnType<typeof readConfiguration>;

export interface WorkerVersion {
  deploymentName: string;
  buildId: string;
}

export interface TemporalConfiguration {
  address: string;
  namespace: string;
  tls: boolean;
  apiKey?: string;
}

/** A setting is missing or wrong. The message is one sentence for the operator. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
}

const minSecretLength = 32;
/** In seconds. */
const maxDelay = 7 * 24 * 3_600;
const defaultDeploymentName = 'workspace-engagement-service';
/** Temporal refuses a dot and a colon, because it uses them to separate deployment and build. */
const deploymentNameForm = /^[A-Za-z0-9][A-Za-z0-9_/-]{0,99}$/;
const buildIdForm = /^[A-Za-z0-9][A-Za-z0-9._+-]{0,99}$/;

/** An IP address, with a port where it is not 53; one of IPv6 with a port is in brackets. */
function serverForm(text: string): boolean {
  if (isIP(text) !== 0) return true;
  const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(text) ?? [];
  return isIP(bracketed ?? plain ?? '') === (bracketed === undefined ? 4 : 6) && Number(port) <= 65_535;
}

type Environment = Readonly<Record<string, string | undefined>>;

const textsOf = (environment: Environment) => (name: string) => environment[name]?.trim() || undefined;

const misshapen = (name: string, form: string) => new ConfigurationError(`${name} has to be ${form}.`);

/** Reads the Temporal settings only, for programs that need nothing else. */
export function readTemporalConfiguration(environment: Environment = process.env): TemporalConfiguration {
  const text = textsOf(environment);
  const apiKey = text('TEMPORAL_API_KEY');
  return {
    address: text('TEMPORAL_ADDRESS') ?? 'localhost:7233',
    namespace: text('TEMPORAL_NAMESPACE') ?? 'default',
    tls: text('TEMPORAL_TLS') === 'true' || apiKey !== undefined,
    ...(apiKey === undefined ? {} : { apiKey }),
  };
}

/** @throws ConfigurationError that names the variable */
function readWorkerVersion(text: (name: string) => string | undefined): WorkerVersion | undefined {
  const buildId = text('TEMPORAL_WORKER_BUILD_ID');
  const deploymentName = text('TEMPORAL_DEPLOYMENT_NAME');
  if (buildId === undefined) {
    if (deploymentName === undefined) return undefined;
    throw new ConfigurationError('TEMPORAL_DEPLOYMENT_NAME needs TEMPORAL_WORKER_BUILD_ID.');
  }
  const form = (signs: string) =>
    `at most 100 letters, digits and ${signs}, and begins with a letter or digit`;
  if (!buildIdForm.test(buildId)) throw misshapen('TEMPORAL_WORKER_BUILD_ID', form('. _ + -'));
  if (deploymentName !== undefined && !deploymentNameForm.test(deploymentName)) {
    throw misshapen('TEMPORAL_DEPLOYMENT_NAME', form('_ / -'));
  }
  return { deploymentName: deploymentName ?? defaultDeploymentName, buildId };
}

const s3Settings = ['ENDPOINT', 'REGION', 'KEY_ID', 'SECRET', 'PUBLIC_ENDPOINT'].map(
  (name) => `STORAGE_S3_${name}`,
);

/** @throws ConfigurationError that names the variable */
export function readConfiguration(environment: Environment = process.env) {
  const text = textsOf(environment);
  const required = (name: string): string => {
    const value = text(name);
    if (value === undefined) throw new ConfigurationError(`${name} is not set.`);
    return value;
  };
  const long = (name: string, value: string): string => {
    if (value.length >= minSecretLength) return value;
    throw new ConfigurationError(`${name} has to have at least ${minSecretLength} characters.`);
  };
  const whole = (name: string, fallback: number, most: number, form: string): number => {
    const value = Number(text(name) ?? fallback);
    if (Number.isInteger(value) && value >= 0 && value <= most) return value;
    throw misshapen(name, form);
  };
  const port = (name: string, fallback: number) => whole(name, fallback, 65_535, 'a port number');
  const count = (name: string, fallback: number) =>
    whole(name, fallback, Number.MAX_SAFE_INTEGER, 'a whole number, 0 or more');
  const days = (name: string, fallback: number, most: number): number => {
    const value = whole(name, fallback, most, `a number of days from 1 to ${most}`);
    if (value > 0) return value;
    throw misshapen(name, `a number of days from 1 to ${most}`);
  };
  const oneOf = <const Word extends string>(name: string, words: readonly Word[], fallback: Word): Word => {
    const given = text(name) ?? fallback;
    const found = words.find((word) => word === given);
    if (found !== undefined) return found;
    throw misshapen(name, words.join(' or '));
  };
  const listed = (name: string): string[] | undefined =>
    text(name)
      ?.split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '');
  const networks = (name: string): string[] => {
    const named = listed(name) ?? [];
    if (named.every(isNetwork)) return named;
    throw misshapen(name, 'networks such as 10.0.0.0/8 or fd00::/8, with commas');
  };
  const servers = (name: string): string[] | undefined => {
    const named = listed(name);
    if (named === undefined || named.every((server) => serverForm(server))) return named;
    throw misshapen(name, 'addresses of DNS servers such as 9.9.9.9 or [2620:fe::fe]:53, with commas');
  };
  const phones = (name: string): string[] | undefined =>
    listed(name)?.map((number) => {
      const normalized = number.startsWith('+') ? normalizePhone(number, 'US') : null;
      if (normalized !== null) return normalized;
      throw misshapen(name, 'numbers in E.164 (+12025550123), with commas');
    });
  const url = (name: string): string | undefined => {
    const given = text(name);
    const parsed = given === undefined ? undefined : parseUrl(given);
    if (given === undefined || parsed?.protocol === 'https:' || parsed?.protocol === 'http:') return given;
    throw misshapen(name, 'an address that begins with https:// or http://');
  };
  const socketUrl = (name: string): string | undefined => {
    const given = text(name)?.replace(/\/+$/, '');
    const parsed = given === undefined ? undefined : parseUrl(given);
    if (given === undefined || parsed?.protocol === 'wss:' || parsed?.protocol === 'ws:') return given;
    throw misshapen(name, 'an address that begins with wss:// or ws://');
  };
  const domain = (name: string): string | undefined => {
    const given = text(name)?.toLowerCase();
    if (given === undefined || normalizeEmail(`inbox@${given}`) !== null) return given;
    throw misshapen(name, 'a domain such as mail.example.com');
  };
  const callPrices = (name: string): CallPrices | undefined => {
    const given = text(name);
    const prices = given === undefined ? undefined : parseCallPrices(given);
    if (given === undefined || prices !== undefined) return prices;
    throw misshapen(
      name,
      'a currency and prices of a minute, such as USD inbound=0.0085 outbound=0.014 GB=0.03',
    );
  };
  const delays = (name: string, fallback: readonly number[]): readonly number[] => {
    const seconds = text(name)
      ?.split(',')
      .map((part) => (part.trim() === '' ? Number.NaN : Number(part)));
    if (seconds === undefined) return fallback;
    if (seconds.every((delay) => Number.isSafeInteger(delay) && delay >= 0 && delay <= maxDelay)) {
      return seconds.map((delay) => delay * 1_000);
    }
    throw misshapen(name, 'whole seconds up to a week, with commas');
  };

  const production = environment.NODE_ENV === 'production';
  if (production) {
    const faults = productionFaults(environment);
    if (faults.length > 0) throw new ConfigurationError(`Not for production: ${faults.join(' ')}`);
  }

  const listenPort = port('PORT', 3000);
  const previousKey = text('ENCRYPTION_KEY_PREVIOUS');
  const accountSid = text('TWILIO_ACCOUNT_SID');
  // The package refuses others, but only with the first request.
  if (accountSid?.startsWith('AC') === false) {
    throw new ConfigurationError('TWILIO_ACCOUNT_SID must begin with AC.');
  }
  const modelKey = text('OPENAI_API_KEY');
  const smtpUrl = text('SMTP_URL');
  const loginNumber = text('LOGIN_SMS_FROM');
  // A carrier also accepts sender names and ids of its own, which are not phone numbers.
  const loginSmsFrom = loginNumber && (normalizePhone(loginNumber, 'US') ?? loginNumber);
  const phoneNumberPool = phones('PHONE_NUMBER_POOL');
  if (loginSmsFrom !== undefined && phoneNumberPool?.includes(loginSmsFrom)) {
    throw new ConfigurationError('LOGIN_SMS_FROM must not stand in PHONE_NUMBER_POOL.');
  }
  const bucket = text('STORAGE_S3_BUCKET');
  const withoutBucket = s3Settings.find((name) => text(name) !== undefined);
  if (bucket === undefined && withoutBucket !== undefined) {
    throw new ConfigurationError(`${withoutBucket} needs STORAGE_S3_BUCKET.`);
  }
  const policy: InstallationPolicy = {
    workspaceCreation: oneOf(
      'WORKSPACE_CREATION',
      ['anyone', 'superusers'],
      production ? 'superusers' : 'anyone',
    ),
    loginCodesPerHour: count('LOGIN_CODES_PER_HOUR', 5),
    workspacesPerAccount: count('WORKSPACES_PER_ACCOUNT', 20),
    bytesPerWorkspace: count('FILE_BYTES_PER_WORKSPACE', 10 * 1_073_741_824),
    exportDays: days('PERSON_EXPORT_DAYS', 7, 90),
    supportAccessHours: count('SUPPORT_ACCESS_HOURS', 8),
    localHttpOrigins: !production,
  };
  const usual = defaultAgentBudgets;
  const agentBudgets: AgentBudgets = {
    turnsPerHour: count('AGENT_TURNS_PER_HOUR', usual.turnsPerHour),
    turnsPerDay: count('AGENT_TURNS_PER_DAY', usual.turnsPerDay),
    unattendedTurns: count('AGENT_UNATTENDED_TURNS', usual.unattendedTurns),
    chatTokensPerDay: count('AGENT_CHAT_TOKENS_PER_DAY', usual.chatTokensPerDay),
    chatCreditsPerDay: count('AGENT_CHAT_CREDITS_PER_DAY', usual.chatCreditsPerDay),
    workspaceTokensPerDay: count('AGENT_WORKSPACE_TOKENS_PER_DAY', usual.workspaceTokensPerDay),
    workspaceCreditsPerDay: count('AGENT_WORKSPACE_CREDITS_PER_DAY', usual.workspaceCreditsPerDay),
    pendingFollowUps: count('AGENT_PENDING_FOLLOW_UPS', usual.pendingFollowUps),
    unattendedFollowUps: count('AGENT_UNATTENDED_FOLLOW_UPS', usual.unattendedFollowUps),
    followUpDelayMs: 1_000 * count('AGENT_FOLLOW_UP_DELAY', usual.followUpDelayMs / 1_000),
    chatRequestsPerHour: count('AGENT_CHAT_REQUESTS_PER_HOUR', usual.chatRequestsPerHour),
    workspaceRequestsPerHour: count('AGENT_WORKSPACE_REQUESTS_PER_HOUR', usual.workspaceRequestsPerHour),
    chatEmailsPerDay: count('AGENT_CHAT_EMAILS_PER_DAY', usual.chatEmailsPerDay),
  };

  const publicUrl = (text('PUBLIC_URL') ?? `http://localhost:${listenPort}`).replace(/\/+$/, '');

  return {
    production,
    /** Whether answers are checked against their declarations. */
    checkResponses: oneOf('CHECK_RESPONSES', ['true', 'false'], production ? 'false' : 'true') === 'true',
    logLevel: text('LOG_LEVEL') ?? 'info',
    host: text('HOST') ?? '0.0.0.0',
    port: listenPort,
    /** The URL at which carriers and clients reach the api, without `/api/v2`. Carrier signatures cover it. */
    publicUrl,
    /** Role `wes_app`. */
    databaseUrl: required('DATABASE_URL'),
    /** Role `wes_relay`; only the worker needs it. */
    relayDatabaseUrl: text('RELAY_DATABASE_URL') ?? '',
    temporal: readTemporalConfiguration(environment),
    /** The UI of the Temporal server, for links to runs; undefined: there are none. */
    temporalUiUrl: url('TEMPORAL_UI_URL')?.replace(/\/+$/, ''),
    /** The version under which the worker polls; undefined: it is unversioned. */
    workerVersion: readWorkerVersion(text),
    /** Undefined if no carrier is configured: messages then fail with `carrier_not_configured`. */
    carrier:
      accountSid === undefined
        ? undefined
        : {
            accountSid,
            authToken: required('TWILIO_AUTH_TOKEN'),
            apiBaseUrl: text('TWILIO_API_BASE_URL'),
          },
    /** What the carrier asks for calls, with which its bills are compared; undefined: only durations are. */
    callPrices: callPrices('CALL_PRICES'),
    /** Undefined if no model is configured: chats are then handed over to a person. */
    model:
      modelKey === undefined
        ? undefined
        : {
            apiKey: modelKey,
            baseUrl: text('OPENAI_BASE_URL'),
            /** The provider's name in the model catalogue. */
            provider: text('MODEL_PROVIDER') ?? 'openai',
            /** The recommended chat model, by name or id; undefined: the catalogue's recommendation. */
            chatModel: text('CHAT_MODEL'),
          },
    /** A JSON file with the deployment's own models and voices. */
    aiModelsFile: text('AI_MODELS_FILE'),
    /** Requests per minute that one api process accepts; 0 means no limit. */
    rateLimits: {
      credential: count('RATE_LIMIT_CREDENTIAL', 3_000),
      account: count('RATE_LIMIT_ACCOUNT', 6_000),
      workspace: count('RATE_LIMIT_WORKSPACE', 12_000),
      address: count('RATE_LIMIT_ADDRESS', 600),
      refusals: count('RATE_LIMIT_REFUSALS', 60),
    },
    /** Number of trusted proxies in front of the api that append to X-Forwarded-For. */
    trustedProxies: count('TRUST_PROXY', 0),
    /** Key material for login codes. */
    loginSecret: long('LOGIN_SECRET', required('LOGIN_SECRET')),
    /** Values that must be readable again are encrypted with `key`. */
    encryption: {
      key: long('ENCRYPTION_KEY', required('ENCRYPTION_KEY')),
      previous: previousKey && long('ENCRYPTION_KEY_PREVIOUS', previousKey),
    },
    oauth: {
      /** Whether OAuth clients may register themselves (RFC 7591). */
      registration: oneOf('OAUTH_REGISTRATION', ['true', 'false'], 'false') === 'true',
      /** Networks whose addresses may be fetched, when a client names its metadata by its address. */
      allowedNetworks: networks('OAUTH_ALLOWED_NETWORKS'),
    },
    /** The number that login codes are sent from; undefined: no codes are sent by SMS. */
    loginSmsFrom,
    /** Maximum number of login codes by SMS in 24 hours: for the installation, and per country; 0 means no limit. */
    loginSmsLimits: {
      perDay: count('LOGIN_SMS_PER_DAY', 5_000),
      perCountryPerDay: count('LOGIN_SMS_PER_COUNTRY_PER_DAY', 1_000),
    },
    /** Numbers that workspaces may take (E.164); undefined: the pool is not changed. */
    phoneNumberPool,
    /** Undefined if no mail server is configured: no mail is sent then. */
    mail: smtpUrl === undefined ? undefined : { url: smtpUrl, from: required('MAIL_FROM') },
    policy,
    inboxes: {
      /** The domain for whose addresses the mail server sends; undefined: inboxes have their own mail servers. */
      domain: domain('INBOX_DOMAIN'),
      /** Networks with mail servers of inboxes although they are not public, such as `10.0.0.0/8`. */
      allowedNetworks: networks('INBOX_ALLOWED_NETWORKS'),
    },
    webhooks: {
      /** Networks that webhooks may reach although they are not public, such as `10.0.0.0/8`. */
      allowedNetworks: networks('WEBHOOK_ALLOWED_NETWORKS'),
      /**
       * The delay before each attempt, counted from the previous one. The number of delays is the number of attempts.
       */
      retryDelaysMs: delays('WEBHOOK_RETRY_DELAYS', defaultRetryDelaysMs),
    },
    /** DNS servers that proofs of domains are looked up at, such as `9.9.9.9` or `127.0.0.1:5353`; undefined: the machine's. */
    dnsServers: servers('DNS_SERVERS'),
    crawl: {
      /** The pause between two requests to a host that is crawled, unless it asks for a longer one. */
      delayMs: count('CRAWL_DELAY_MS', 1_000),
    },
    singleSignOn: {
      /** Networks with identity providers of organizations although they are not public, such as `10.0.0.0/8`. */
      allowedNetworks: networks('SSO_ALLOWED_NETWORKS'),
    },
    storage: {
      /** Has the objects, unless they are in a bucket, and in any case what is being received. */
      folder: text('STORAGE_FOLDER') ?? '.data/storage',
      /** Undefined: objects are files in the folder. */
      s3:
        bucket === undefined
          ? undefined
          : {
              bucket,
              endpoint: url('STORAGE_S3_ENDPOINT') ?? required('STORAGE_S3_ENDPOINT'),
              region: text('STORAGE_S3_REGION') ?? 'us-east-1',
              keyId: required('STORAGE_S3_KEY_ID'),
              secret: required('STORAGE_S3_SECRET'),
              /** Where clients reach the bucket; undefined: they do not, and the api serves all bytes. */
              publicEndpoint: url('STORAGE_S3_PUBLIC_ENDPOINT'),
            },
    },
    agentBudgets,
    /** Port of the Temporal SDK's metrics; undefined: they are not served. */
    sdkMetricsPort:
      text('TEMPORAL_METRICS_PORT') === undefined ? undefined : port('TEMPORAL_METRICS_PORT', 0),
    /** Port of the worker's health and metrics. */
    workerHealthPort: port('WORKER_HEALTH_PORT', 3001),
    media: {
      port: port('MEDIA_PORT', 3002),
      healthPort: port('MEDIA_HEALTH_PORT', 3003),
      /** The URL at which the carrier reaches the media processes, without a path. Its signatures cover it. */
      publicUrl: socketUrl('MEDIA_PUBLIC_URL') ?? publicUrl.replace(/^http/, 'ws'),
      /** How many calls a process holds at most, and a workspace in all processes. */
      calls: count('MEDIA_CALLS', 200),
      callsPerWorkspace: count('MEDIA_CALLS_PER_WORKSPACE', 100),
      /** How long a process that is asked to stop waits for its calls. */
      drainMs: 1_000 * whole('MEDIA_DRAIN', 3_600, 86_400, 'whole seconds up to a day'),
    },
  };
}

/** What the operator decides about inboxes: the sender of sign-in codes is no inbox. */
export function inboxPolicyOf({
  production,
  mail,
  inboxes: { domain },
}: Pick<Configuration, 'production' | 'mail' | 'inboxes'>): InboxPolicy {
  const sender = mail && normalizeEmail(/<([^<>]*)>\s*$/.exec(mail.from)?.[1] ?? mail.from);
  return {
    // Without a mail server there is no relay.
    domain: mail === undefined ? undefined : domain,
    reserved: typeof sender === 'string' ? [sender] : [],
    allowsUnencrypted: !production,
  };
}
