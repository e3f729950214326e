import { statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { demo } from '../../../../api/http/demo.js';
import { readConfiguration } from '../../../../runtime/configuration.js';
import { banner } from '../../../../tools/dev/launcher/banner.js';
import {
  type DevFile,
  devFilePath,
  readDevFile,
  writeDevFile,
} from '../../../../tools/dev/launcher/dev-file.js';
import { serviceEnvironment } from '../../../../tools/dev/launcher/environments.js';
import { localSecrets } from '../../../../tools/dev/launcher/local-secrets.js';
import { readLocalSettings, usedPorts } from '../../../../tools/dev/launcher/local-settings.js';
import { asksForHelp, readOptions, usage } from '../../../../tools/dev/launcher/options.js';
import { addressOf } from '../../../../tools/screenshots/views.js';
import { temporaryFolder } from '../../../support/lib/temporary-folder.js';

const dev: DevFile = {
  hasExamples: true,
  baseUrl: 'http://127.0.0.1:3000',
  workspaceUuid: 'a-workspace',
  adminApiKey: 'an-admin-key',
  memberApiKey: 'a-member-key',
  otherWorkspaceUuid: 'another-workspace',
  otherAdminApiKey: 'another-admin-key',
  adminEmail: 'owner@example.com',
  people: { admin: 'owner@example.com', colleague: 'desk@example.com', member: 'member@example.com' },
  temporalAddress: '127.0.0.1:7233',
  temporalUi: 'http://127.0.0.1:8233',
  carrierSimulator: 'http://127.0.0.1:4010',
  modelSimulator: null,
  mailSimulator: null,
  webhookSink: 'http://127.0.0.1:4014',
  identityProvider: 'http://127.0.0.1:4015',
  mcpServer: 'http://127.0.0.1:4016',
  website: 'http://127.0.0.1:4019',
};

/** What api and worker read when `npm start` has this environment. */
function configure(environment: Record<string, string>) {
  const secrets = localSecrets(temporaryFolder());
  const settings = readLocalSettings(environment, '/project');
  return { secrets, configuration: readConfiguration(serviceEnvironment(environment, settings, secrets)) };
}

test('simulates carrier and model without credentials, and configures the services with their addresses', () => {
  const { secrets, configuration } = configure({ PORT: '3100' });

  expect(configuration).toMatchObject({
    port: 3100,
    publicUrl: 'http://127.0.0.1:3100',
    carrier: { accountSid: secrets.carrier.accountSid, apiBaseUrl: 'http://127.0.0.1:4010' },
    model: { baseUrl: 'http://127.0.0.1:4011/v1' },
    mail: { url: 'smtp://127.0.0.1:4012' },
    loginSecret: secrets.login,
    encryption: { key: secrets.encryption },
    temporal: { address: '127.0.0.1:7233' },
    webhooks: { allowedNetworks: ['127.0.0.0/8'] },
  });
});

test('runs an unversioned worker, because an operator would have to make a version current', () => {
  const environment = { TEMPORAL_WORKER_BUILD_ID: '0.2.0', TEMPORAL_DEPLOYMENT_NAME: 'service' };
  expect(configure(environment).configuration.workerVersion).toBeUndefined();
});

test('neither simulates nor starts what is configured', () => {
  const environment = {
    TWILIO_ACCOUNT_SID: 'AC1',
    TWILIO_AUTH_TOKEN: 'a-token',
    OPENAI_API_KEY: 'a-key',
    SMTP_URL: 'smtp://mail.example',
    TEMPORAL_ADDRESS: 'temporal.example:7233',
  };
  const settings = readLocalSettings(environment, '/project');

  const names = usedPorts(settings).map(({ variable }) => variable);

  expect(names).toEqual([
    'PORT',
    'WORKER_HEALTH_PORT',
    'MEDIA_PORT',
    'MEDIA_HEALTH_PORT',
    'POSTGRES_PORT',
    'WEBHOOK_SINK_PORT',
    'IDENTITY_PROVIDER_PORT',
    'MCP_SERVER_SIMULATOR_PORT',
    'WEBSITE_SIMULATOR_PORT',
    'WEBSITE_PORT',
  ]);
  expect(settings.temporal).toEqual({ address: 'temporal.example:7233', namespace: 'default', tls: false });
});

test('rejects a port that is not a number, naming the variable', () => {
  expect(() => readLocalSettings({ POSTGRES_PORT: 'five' }, '/project')).toThrow(
    'POSTGRES_PORT must be a port number from 1 to 65535.',
  );
});

test('rejects an unknown option', () => {
  expect(() => readOptions(['--frehs'])).toThrow(
    '--frehs is not an option of npm start. The options are --fresh and --no-demo.',
  );
  expect(readOptions(['--fresh', '--no-demo'])).toEqual({ fresh: true, demo: false, watch: false });
});

test('explains its options', () => {
  expect(asksForHelp(['--help'])).toBe(true);
  expect(asksForHelp(['--fresh', '-h'])).toBe(true);
  expect(asksForHelp(['--fresh'])).toBe(false);
  for (const option of ['--fresh', '--no-demo', '--help']) expect(usage).toContain(option);
});

test('counts requests and codes a hundred times more generously than production, unless told otherwise', () => {
  const { rateLimits, policy } = configure({}).configuration;
  const { credential, account, workspace, address, refusals } = rateLimits;
  expect([credential, account, workspace, address, refusals]).toEqual([
    300_000, 600_000, 1_200_000, 60_000, 6_000,
  ]);
  expect(policy.loginCodesPerHour).toBe(500);
  expect(configure({ LOGIN_CODES_PER_HOUR: '5' }).configuration.policy.loginCodesPerHour).toBe(5);
  expect(configure({ RATE_LIMIT_CREDENTIAL: '5' }).configuration.rateLimits).toMatchObject({ credential: 5 });
});

test.each([
  [{}, true],
  [{ HOST: '::1', PUBLIC_URL: 'http://localhost:3000' }, true],
  [{ HOST: '0.0.0.0' }, false],
  [{ PUBLIC_URL: 'https://tunnel.example' }, false],
  [{ OAUTH_REGISTRATION: 'false' }, false],
  [{ HOST: '0.0.0.0', OAUTH_REGISTRATION: 'true' }, true],
])(
  'lets OAuth clients register where only this machine reaches it, unless told otherwise: %j',
  (environment, isOn) => {
    expect(configure(environment).configuration.oauth.registration).toBe(isOn);
  },
);

test('creates the local secrets once', () => {
  const folder = temporaryFolder();
  expect(localSecrets(folder)).toEqual(localSecrets(folder));
});

test('makes the file for scripts readable by its owner only', () => {
  const folder = temporaryFolder();
  writeDevFile(folder, dev);
  expect(readDevFile(folder)).toEqual(dev);
  expect(statSync(devFilePath(folder)).mode & 0o777).toBe(0o600);
});

test('prints the address of the demo site where it has been created', () => {
  const address = `${dev.baseUrl}/s/${demo.siteUuid}`;
  expect(banner({ ...dev, hasExamples: true }, '.data/dev.json')).toContain(address);
  expect(banner({ ...dev, hasExamples: false }, '.data/dev.json')).not.toContain(address);
});

test('prints the list of runs that a person can read, and what needs one, where the UI is known', () => {
  const printed = banner(dev, '.data/dev.json');
  expect(printed).toContain(addressOf('Work with members', 'http://127.0.0.1:8233'));
  expect(printed).toContain(addressOf('Needs a person', 'http://127.0.0.1:8233'));
  expect(printed).toContain('columns Summary and Stands');
  expect(banner({ ...dev, temporalUi: null }, '.data/dev.json')).not.toMatch(/Temporal UI|needs a person/);
});

test('prints the address that AI clients are given', () => {
  expect(banner(dev, '.data/dev.json')).toContain('Tools for AI clients http://127.0.0.1:3000/api/v2/mcp');
});

test('lists simulated parts in the banner, and only if there are any', () => {
  expect(banner(dev, '.data/dev.json')).toContain('The carrier is simulated');
  expect(banner({ ...dev, carrierSimulator: null }, '.data/dev.json')).not.toContain('simulate');
});
