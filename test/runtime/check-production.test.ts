import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { knownSecrets } from '../../runtime/check-production.js';
import { ConfigurationError, readConfiguration } from '../../runtime/configuration.js';
import { testLoginSecretText } from '../support/api/login.js';
import { testEncryptionKey } from '../support/lib/encryption.js';

const random = () => randomBytes(32).toString('base64');

const good = {
  NODE_ENV: 'production',
  DATABASE_URL: `postgres://wes_app:${randomBytes(16).toString('hex')}@db.example/wes`,
  RELAY_DATABASE_URL: `postgres://wes_relay:${randomBytes(16).toString('hex')}@db.example/wes`,
  PUBLIC_URL: 'https://api.example.com',
  LOGIN_SECRET: random(),
  ENCRYPTION_KEY: random(),
  TWILIO_ACCOUNT_SID: 'AC00000000000000000000000000000000',
  TWILIO_AUTH_TOKEN: randomBytes(16).toString('hex'),
  STORAGE_FOLDER: '/var/lib/wes/storage',
};
const bucket = {
  STORAGE_S3_BUCKET: 'files',
  STORAGE_S3_ENDPOINT: 'http://s3.internal:9000',
  STORAGE_S3_KEY_ID: 'key',
  STORAGE_S3_SECRET: random(),
};
const read = (changes: Record<string, string>) => readConfiguration({ ...good, ...changes });

describe('readConfiguration in production', () => {
  it('accepts random secrets and an https URL', () => {
    expect(read({}).production).toBe(true);
    // Random hexadecimal digits must never count as weak.
    for (let time = 0; time < 1_000; time += 1) {
      read({ LOGIN_SECRET: randomBytes(16).toString('hex') });
    }
  });

  it.each([
    ['LOGIN_SECRET', 'a'.repeat(32)],
    ['LOGIN_SECRET', 'abcdefghij'.repeat(4)],
    ['LOGIN_SECRET', testLoginSecretText],
    ['ENCRYPTION_KEY', 'simulated-simulated-simulated-simulated'],
    ['ENCRYPTION_KEY', testEncryptionKey],
    ['ENCRYPTION_KEY_PREVIOUS', '01'.repeat(20)],
    ['TWILIO_AUTH_TOKEN', 'simulated'],
    ['OPENAI_API_KEY', 'simulated'],
    ['DATABASE_URL', 'postgres://wes_app:wes_app@db.example/wes'],
    ['RELAY_DATABASE_URL', 'postgres://wes_relay:simulated-relay@db.example/wes'],
    ['PUBLIC_URL', 'http://api.example.com'],
    ['PUBLIC_URL', ''],
    ['MEDIA_PUBLIC_URL', 'ws://media.example.com'],
    ['STORAGE_FOLDER', ''],
    ['STORAGE_S3_SECRET', 'simulated'],
    ['STORAGE_S3_PUBLIC_ENDPOINT', 'http://files.example.com'],
    // The origin of the api.
    ['STORAGE_S3_PUBLIC_ENDPOINT', 'https://api.example.com:9000'],
  ])('rejects for %s the value %s without quoting it', (name, value) => {
    const read = (changes: Record<string, string>) => readConfiguration({ ...good, ...bucket, ...changes });
    expect(() => read({ [name]: value })).toThrow(ConfigurationError);
    expect(() => read({ [name]: value })).toThrow(name);
    if (value !== '') expect(() => read({ [name]: value })).not.toThrow(new RegExp(`: .*${value}`));
  });

  it('rejects two equal secrets and names both variables', () => {
    expect(() => read({ LOGIN_SECRET: good.ENCRYPTION_KEY })).toThrow(
      'LOGIN_SECRET and ENCRYPTION_KEY have to be different.',
    );
    const password = new URL(good.DATABASE_URL).password;
    const relay = `postgres://wes_relay:${password}@db.example/wes`;
    expect(() => read({ RELAY_DATABASE_URL: relay })).toThrow('DATABASE_URL and RELAY_DATABASE_URL');
  });

  it('reports all faults at once', () => {
    const faults = { LOGIN_SECRET: 'a'.repeat(40), PUBLIC_URL: 'http://api.example.com' };
    expect(() => read(faults)).toThrow(/LOGIN_SECRET.*PUBLIC_URL/);
  });
});

it('readConfiguration accepts weak secrets outside of production', () => {
  const { production } = read({ NODE_ENV: 'development', PUBLIC_URL: '', LOGIN_SECRET: 'a'.repeat(40) });
  expect(production).toBe(false);
});

it('knownSecrets contains every secret of the environment of the simulators', async () => {
  const environment = await readFile(
    new URL('../../tools/dev/compose/simulators.env', import.meta.url),
    'utf8',
  );
  const pairs = environment.matchAll(/^([A-Z_]*(?:SECRET|KEY|TOKEN|PASSWORD)[A-Z_]*)=(.+)$/gm);
  const values = [...pairs].map(([, , value = '']) => value);
  expect(values.length).toBeGreaterThan(3);
  expect(values.filter((value) => !knownSecrets.has(value))).toEqual([]);
});
