import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RolePasswords } from '../../../db/provision.js';

/** Generated once for each data folder and kept in it. */
export interface LocalSecrets {
  postgres: string;
  roles: RolePasswords;
  /** LOGIN_SECRET: login codes are derived from it. */
  login: string;
  /** ENCRYPTION_KEY: encrypts stored secrets that must be readable again. */
  encryption: string;
  webhook: string;
  /** The credentials that the carrier simulator accepts and signs its webhooks with. */
  carrier: { accountSid: string; authToken: string };
}

const random = () => randomBytes(16).toString('hex');

export function localSecrets(dataFolder: string): LocalSecrets {
  const file = join(dataFolder, 'secrets.json');
  const made: LocalSecrets = {
    postgres: random(),
    login: random() + random(),
    encryption: random() + random(),
    webhook: `whsec_${randomBytes(32).toString('base64')}`,
    roles: { wes_migrator: random(), wes_app: random(), wes_relay: random() },
    // The carrier's SDK rejects account ids that do not start with AC.
    carrier: { accountSid: `AC${random()}`, authToken: random() },
    ...read(file),
  };
  writeFileSync(file, `${JSON.stringify(made, null, 2)}\n`, { mode: 0o600 });
  return made;
}

function read(file: string): Partial<LocalSecrets> | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Partial<LocalSecrets>;
  } catch {
    return undefined;
  }
}
