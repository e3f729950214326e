import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RolePasswords } from '../../../db/provision-roles.js';

/** Made once for this folder and kept with the data they open. */
export interface LocalSecrets {
  postgres: string;
  roles: RolePasswords;
  /** What login codes are derived from. */
  login: string;
  /** What has to be read again is encrypted with. */
  encryption: string;
  /** What the webhooks of the demo workspace are signed with. */
  webhook: string;
  /** What the carrier simulator accepts and signs with. */
  carrier: { accountSid: string; authToken: string };
}

const random = () => randomBytes(16).toString('hex');

/** Reads the secrets of the data folder, or makes them. */
export function localSecrets(dataFolder: string): LocalSecrets {
  const file = join(dataFolder, 'secrets.json');
  const kept = read(file);
  const made: LocalSecrets = {
    postgres: random(),
    login: random() + random(),
    encryption: random() + random(),
    webhook: `whsec_${randomBytes(32).toString('base64')}`,
    roles: { wes_migrator: random(), wes_app: random(), wes_relay: random() },
    // The carrier's package refuses account ids that do not start with AC.
    carrier: { accountSid: `AC${random()}`, authToken: random() },
    // One that an earlier version did not have yet is made now.
    ...kept,
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
