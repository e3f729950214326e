import { parseUrl } from '../domain/lib/parse-url.js';

type Environment = Readonly<Record<string, string | undefined>>;

const secrets = [
  'LOGIN_SECRET',
  'ENCRYPTION_KEY',
  'ENCRYPTION_KEY_PREVIOUS',
  'TWILIO_AUTH_TOKEN',
  'OPENAI_API_KEY',
  'STORAGE_S3_SECRET',
];
/** Secrets with a single purpose each; no two may be equal. */
const ownKeys = ['LOGIN_SECRET', 'ENCRYPTION_KEY', 'TWILIO_AUTH_TOKEN', 'STORAGE_S3_SECRET'];
const databases = ['DATABASE_URL', 'RELAY_DATABASE_URL'];
/** A random text of 32 hexadecimal digits has about fourteen different ones. */
const fewestDifferent = 8;

/** What makes the settings unusable in production, as sentences that name variables but never values. */
export function productionFaults(environment: Environment): string[] {
  const value = (name: string) => environment[name]?.trim() || undefined;
  return [
    ...secrets.flatMap((name) => faultOfSecret(name, value(name))),
    ...equalPairs(ownKeys, value),
    ...databases.flatMap((name) => faultOfDatabase(name, value(name))),
    ...equalPairs(databases, (name) => passwordIn(value(name))).map((sentence) => `Passwords: ${sentence}`),
    ...faultOfPublicUrl(value('PUBLIC_URL')),
    ...faultOfMediaUrl(value('MEDIA_PUBLIC_URL')),
    ...faultsOfStorage(value),
  ];
}

function faultOfSecret(name: string, secret: string | undefined): string[] {
  if (secret === undefined) return [];
  if (knownSecrets.has(secret)) return [`${name} is a value of the repository, which everybody knows.`];
  return isWeak(secret) ? [`${name} is not random: make one with "openssl rand -base64 32".`] : [];
}

function isWeak(secret: string): boolean {
  if (new Set(secret).size < fewestDifferent) return true;
  return `${secret}${secret}`.indexOf(secret, 1) < secret.length;
}

function equalPairs(names: readonly string[], value: (name: string) => string | undefined): string[] {
  return names.flatMap((name, index) =>
    names
      .slice(index + 1)
      .filter((other) => value(name) !== undefined && value(name) === value(other))
      .map((other) => `${name} and ${other} have to be different.`),
  );
}

function faultOfDatabase(name: string, url: string | undefined): string[] {
  const password = passwordIn(url);
  if (password === undefined || !knownSecrets.has(password)) return [];
  return [`The password in ${name} is a value of the repository, which everybody knows.`];
}

function passwordIn(url: string | undefined): string | undefined {
  const parsed = url === undefined ? undefined : parseUrl(url);
  return decodeURIComponent(parsed?.password ?? '') || undefined;
}

function faultOfPublicUrl(url: string | undefined): string[] {
  if (url === undefined) return ['PUBLIC_URL is not set: it is the https address of the api.'];
  return parseUrl(url)?.protocol === 'https:' ? [] : ['PUBLIC_URL has to begin with https:.'];
}

function faultOfMediaUrl(url: string | undefined): string[] {
  if (url === undefined || parseUrl(url)?.protocol === 'wss:') return [];
  return ['MEDIA_PUBLIC_URL has to begin with wss:.'];
}

const hostOf = (url: string): string | undefined => parseUrl(url)?.hostname;

function faultsOfStorage(value: (name: string) => string | undefined): string[] {
  const publicEndpoint = value('STORAGE_S3_PUBLIC_ENDPOINT');
  return [
    ...(value('STORAGE_FOLDER') === undefined
      ? ['STORAGE_FOLDER is not set: it is a folder that api and worker share and that is kept.']
      : []),
    ...(publicEndpoint === undefined || parseUrl(publicEndpoint)?.protocol === 'https:'
      ? []
      : ['STORAGE_S3_PUBLIC_ENDPOINT has to begin with https:.']),
    // The bucket serves files without the sandbox of the api, so that what runs in one must not be in the api's origin.
    ...(publicEndpoint !== undefined && hostOf(publicEndpoint) === hostOf(value('PUBLIC_URL') ?? '')
      ? ['STORAGE_S3_PUBLIC_ENDPOINT has to be on another host than PUBLIC_URL.']
      : []),
  ];
}

/** Secrets in this repository, for machines that are not reachable from outside. They are public. */
export const knownSecrets: ReadonlySet<string> = new Set([
  // tools/dev/compose/simulators.env
  'simulated',
  'simulated-simulated-simulated-simulated',
  'simulated-login-simulated-login-simulated',
  'simulated-encryption-simulated-encryption',
  'simulated-postgres',
  'simulated-migrator',
  'simulated-app',
  'simulated-relay',
  'simulated-temporal',
  // Defaults of earlier releases of docker-compose.yml
  'postgres',
  'wes_migrator',
  'wes_app',
  'wes_relay',
  // Tests
  'a secret of tests, of more than 32 characters',
  'an encryption key of tests, of more than 32 characters',
]);
