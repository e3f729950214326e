import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { defaultRetryDelaysMs } from '../../domain/events/webhook-deliveries/schedule.js';
import { ConfigurationError, inboxPolicyOf, readConfiguration } from '../../runtime/configuration.js';
import { testLoginSecretText } from '../support/api/login.js';
import { testEncryptionKey } from '../support/lib/encryption.js';

const read = (environment: Record<string, string> = {}) =>
  readConfiguration({
    DATABASE_URL: 'postgres://localhost/wes',
    LOGIN_SECRET: testLoginSecretText,
    ENCRYPTION_KEY: testEncryptionKey,
    ...environment,
  });

describe('the rate limits in the configuration', () => {
  it('have generous defaults, and trust no proxy', () => {
    const { rateLimits, trustedProxies } = read();
    const usual = { credential: 3_000, account: 6_000, workspace: 12_000, address: 600, refusals: 60 };
    expect({ rateLimits, trustedProxies }).toEqual({ rateLimits: usual, trustedProxies: 0 });
  });

  it('follow the environment, including 0', () => {
    const { rateLimits, trustedProxies } = read({
      RATE_LIMIT_CREDENTIAL: '10',
      RATE_LIMIT_ACCOUNT: '15',
      RATE_LIMIT_WORKSPACE: '0',
      RATE_LIMIT_ADDRESS: '20',
      RATE_LIMIT_REFUSALS: '30',
      TRUST_PROXY: '2',
    });
    expect(rateLimits).toEqual({ credential: 10, account: 15, workspace: 0, address: 20, refusals: 30 });
    expect(trustedProxies).toBe(2);
  });

  it.each(['-1', '1.5', 'many'])('of %s are rejected with the name of the variable', (value) => {
    expect(() => read({ RATE_LIMIT_ADDRESS: value })).toThrow(ConfigurationError);
    expect(() => read({ RATE_LIMIT_ADDRESS: value })).toThrow('RATE_LIMIT_ADDRESS');
  });
});

describe('the policy for workspaces in the configuration', () => {
  it('lets anyone create workspaces in development, and superusers in production, unless set', () => {
    const usual = {
      workspaceCreation: 'anyone',
      loginCodesPerHour: 5,
      supportAccessHours: 8,
      bytesPerWorkspace: 10_737_418_240,
      exportDays: 7,
    };
    expect(read().policy).toEqual({ ...usual, workspacesPerAccount: 20, localHttpOrigins: true });
    const production = {
      NODE_ENV: 'production',
      PUBLIC_URL: 'https://api.example.com',
      LOGIN_SECRET: randomBytes(32).toString('base64'),
      ENCRYPTION_KEY: randomBytes(32).toString('base64'),
      STORAGE_FOLDER: '/var/lib/wes/storage',
    };
    expect(read(production).policy.workspaceCreation).toBe('superusers');
    const open = { ...production, WORKSPACE_CREATION: 'anyone', WORKSPACES_PER_ACCOUNT: '3' };
    expect(read(open).policy).toEqual({ ...usual, workspacesPerAccount: 3, localHttpOrigins: false });
    expect(() => read({ WORKSPACE_CREATION: 'nobody' })).toThrow('WORKSPACE_CREATION has to be');
  });
});

describe.each(['LOGIN_SECRET', 'ENCRYPTION_KEY'])('%s', (name) => {
  it('is required and has a minimum length', () => {
    expect(() => read({ [name]: '' })).toThrow(`${name} is not set.`);
    expect(() => read({ [name]: 'x'.repeat(31) })).toThrow(`${name} has to have at least 32`);
  });
});

describe('ENCRYPTION_KEY_PREVIOUS', () => {
  it('is optional, with the same minimum length as the key', () => {
    expect(read().encryption).toEqual({ key: testEncryptionKey });
    const previous = 'y'.repeat(32);
    const both = { key: testEncryptionKey, previous };
    expect(read({ ENCRYPTION_KEY_PREVIOUS: previous }).encryption).toEqual(both);
    const short = () => read({ ENCRYPTION_KEY_PREVIOUS: 'short' });
    expect(short).toThrow('ENCRYPTION_KEY_PREVIOUS has to have at least 32');
  });
});

describe('PHONE_NUMBER_POOL', () => {
  it('is read as E.164 numbers, and is undefined when it is not set', () => {
    expect(read().phoneNumberPool).toBeUndefined();
    const { phoneNumberPool } = read({ PHONE_NUMBER_POOL: '+1 202-555-0101, +12025550102,' });
    expect(phoneNumberPool).toEqual(['+12025550101', '+12025550102']);
    expect(() => read({ PHONE_NUMBER_POOL: '2025550101' })).toThrow('PHONE_NUMBER_POOL');
  });

  it('must not contain the number of login codes', () => {
    const both = { PHONE_NUMBER_POOL: '+12025550101', LOGIN_SMS_FROM: '+1 202 555 0101' };
    expect(() => read(both)).toThrow('LOGIN_SMS_FROM must not stand in PHONE_NUMBER_POOL.');
    expect(read({ LOGIN_SMS_FROM: 'CLINIC' }).loginSmsFrom).toBe('CLINIC');
  });
});

describe('TWILIO_ACCOUNT_SID', () => {
  it('is the id of an account', () => {
    const wrong = { TWILIO_ACCOUNT_SID: 'SK123', TWILIO_AUTH_TOKEN: 'token' };
    expect(() => read(wrong)).toThrow('TWILIO_ACCOUNT_SID must begin with AC.');
  });
});

describe('SMTP_URL', () => {
  it('enables mail and requires MAIL_FROM', () => {
    expect(read().mail).toBeUndefined();
    expect(() => read({ SMTP_URL: 'smtp://mail.example' })).toThrow('MAIL_FROM is not set.');
    const mail = { SMTP_URL: 'smtp://mail.example', MAIL_FROM: 'login@example.com' };
    expect(read(mail).mail).toEqual({ url: 'smtp://mail.example', from: 'login@example.com' });
  });
});

describe('INBOX_DOMAIN', () => {
  const mail = { SMTP_URL: 'smtp://mail.example', MAIL_FROM: 'Sign in <Login@Inboxes.example>' };
  const policy = (settings: object) => inboxPolicyOf(read({ INBOX_DOMAIN: 'Inboxes.example', ...settings }));

  it('is the domain that the mail server sends for, whose sender of codes is reserved', () => {
    expect(policy(mail)).toEqual({
      domain: 'inboxes.example',
      reserved: ['login@inboxes.example'],
      allowsUnencrypted: true,
    });
    expect(inboxPolicyOf(read(mail)).domain).toBeUndefined();
  });

  it('is of no use without a mail server', () => {
    expect(policy({})).toEqual({ domain: undefined, reserved: [], allowsUnencrypted: true });
  });

  it.each(['mail', 'https://mail.example', '@mail.example'])('rejects %s', (INBOX_DOMAIN) => {
    expect(() => read({ INBOX_DOMAIN })).toThrow('INBOX_DOMAIN has to be a domain');
  });
});

describe('WEBHOOK_ALLOWED_NETWORKS', () => {
  it('is empty by default, and is read as a list', () => {
    expect(read().webhooks.allowedNetworks).toEqual([]);
    const { webhooks } = read({ WEBHOOK_ALLOWED_NETWORKS: ' 10.0.0.0/8, fd00::/8 ,' });
    expect(webhooks.allowedNetworks).toEqual(['10.0.0.0/8', 'fd00::/8']);
  });

  it.each(['10.0.0.1', '10.0.0.0/40', 'receiver.example', '10.0.0.0/8;fd00::/8'])(
    'rejects %s',
    (WEBHOOK_ALLOWED_NETWORKS) => {
      expect(() => read({ WEBHOOK_ALLOWED_NETWORKS })).toThrow(ConfigurationError);
      expect(() => read({ WEBHOOK_ALLOWED_NETWORKS })).toThrow('WEBHOOK_ALLOWED_NETWORKS');
    },
  );
});

describe('WEBHOOK_RETRY_DELAYS', () => {
  const delays = (listed?: string) =>
    read(listed === undefined ? {} : { WEBHOOK_RETRY_DELAYS: listed }).webhooks.retryDelaysMs;

  it('has ten delays over about three days by default, and is read as seconds', () => {
    expect(delays()).toEqual(defaultRetryDelaysMs);
    expect(delays('0, 5,60')).toEqual([0, 5_000, 60_000]);
  });

  it.each(['0,,5', 'soon', '-1', '1.5', '0,604801', '0 5'])('rejects "%s"', (listed) => {
    expect(() => delays(listed)).toThrow(/WEBHOOK_RETRY_DELAYS/);
  });
});

describe('the version of the worker in the configuration', () => {
  it.each([
    ['is undefined without a build id', {}, undefined],
    ['is undefined if both are blank', { id: '', name: ' ' }, undefined],
    ['has a default name', { id: '0.2.0+4f1c' }, ['workspace-engagement-service', '0.2.0+4f1c']],
    ['has the given name', { name: 'prod/service', id: 'b7' }, ['prod/service', 'b7']],
  ])('%s', (_, { id, name }: { id?: string; name?: string }, expected) => {
    const environment = {
      ...(id !== undefined && { TEMPORAL_WORKER_BUILD_ID: id }),
      ...(name !== undefined && { TEMPORAL_DEPLOYMENT_NAME: name }),
    };
    const [deploymentName, buildId] = expected ?? [];
    expect(read(environment).workerVersion).toEqual(expected && { deploymentName, buildId });
  });

  it('requires a build id when a deployment name is set', () => {
    expect(() => read({ TEMPORAL_DEPLOYMENT_NAME: 'service' })).toThrow(
      'TEMPORAL_DEPLOYMENT_NAME needs TEMPORAL_WORKER_BUILD_ID.',
    );
  });

  it.each(['a:b', '-a', '__a', 'a b', 'b'.repeat(101)])(
    'rejects build id "%s"',
    (TEMPORAL_WORKER_BUILD_ID) => {
      expect(() => read({ TEMPORAL_WORKER_BUILD_ID })).toThrow('TEMPORAL_WORKER_BUILD_ID has to be');
    },
  );

  it.each(['a.b', 'a:b', '__a', 'ü', 'b'.repeat(101)])(
    'rejects deployment name "%s"',
    (TEMPORAL_DEPLOYMENT_NAME) => {
      const environment = { TEMPORAL_WORKER_BUILD_ID: '1', TEMPORAL_DEPLOYMENT_NAME };
      expect(() => read(environment)).toThrow('TEMPORAL_DEPLOYMENT_NAME has to be');
    },
  );
});

describe('the storage in the configuration', () => {
  const bucket = {
    STORAGE_S3_BUCKET: 'files',
    STORAGE_S3_ENDPOINT: 'https://s3.example.com',
    STORAGE_S3_KEY_ID: 'key',
    STORAGE_S3_SECRET: 'secret',
  };

  it('is a folder, unless a bucket is named', () => {
    expect(read().storage).toEqual({ folder: '.data/storage', s3: undefined });
    expect(read({ STORAGE_FOLDER: '/var/files' }).storage).toEqual({ folder: '/var/files', s3: undefined });
    const s3 = { bucket: 'files', endpoint: 'https://s3.example.com', keyId: 'key', secret: 'secret' };
    expect(read(bucket).storage.s3).toEqual({ ...s3, region: 'us-east-1', publicEndpoint: undefined });
    const more = { STORAGE_S3_REGION: 'eu-1', STORAGE_S3_PUBLIC_ENDPOINT: 'https://files.example.com' };
    const publicEndpoint = 'https://files.example.com';
    expect(read({ ...bucket, ...more }).storage.s3).toEqual({ ...s3, region: 'eu-1', publicEndpoint });
  });

  it.each(['STORAGE_S3_ENDPOINT', 'STORAGE_S3_KEY_ID', 'STORAGE_S3_SECRET'])(
    'needs %s with a bucket',
    (name) => {
      expect(() => read({ ...bucket, [name]: '' })).toThrow(`${name} is not set.`);
    },
  );

  it.each(['s3.example.com', 'ftp://s3.example.com'])('rejects the endpoint %s', (STORAGE_S3_ENDPOINT) => {
    expect(() => read({ ...bucket, STORAGE_S3_ENDPOINT })).toThrow(
      'STORAGE_S3_ENDPOINT has to be an address',
    );
  });

  it('rejects settings of a bucket without its name', () => {
    expect(() => read({ ...bucket, STORAGE_S3_BUCKET: '' })).toThrow('needs STORAGE_S3_BUCKET');
  });
});
