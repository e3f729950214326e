import { objectStore } from '../../../api/object-store.js';
import { Database } from '../../../db/database.js';
import type { FileStorage } from '../../../domain/files/objects/file-storage.js';
import { systemClock } from '../../../domain/lib/clock.js';
import { readConfiguration } from '../../../runtime/configuration.js';
import { createStorage } from '../../../runtime/create-storage.js';
import { seed } from '../seed.js';
import { type DevFile, readDevFile } from './dev-file.js';
import { addressesOf, databaseUrl } from './environments.js';
import type { LocalSecrets } from './local-secrets.js';
import type { LocalSettings } from './local-settings.js';

/** Creates the demo workspace, or finds that of an earlier start. */
export async function seedWorkspace(
  settings: LocalSettings,
  secrets: LocalSecrets,
  env: NodeJS.ProcessEnv,
): Promise<DevFile> {
  const addresses = addressesOf(settings);
  const database = new Database({ url: databaseUrl('wes_app', settings, secrets) });
  try {
    const sink = { url: addresses.webhookSink, signingSecret: secrets.webhook };
    const kept = readDevFile(settings.dataFolder);
    const encryptionKey = env.ENCRYPTION_KEY ?? secrets.encryption;
    const storage = storageOf(env, database);
    const seeded = await seed({
      database,
      encryptionKey,
      storage,
      sink,
      issuer: addresses.identityProvider,
      mcpServer: addresses.mcpServer,
      kept,
    });
    return { ...addresses, ...seeded };
  } finally {
    await database.close();
  }
}

/** The storage of the api and the worker. */
function storageOf(env: NodeJS.ProcessEnv, database: Database): FileStorage {
  const { storage, policy } = readConfiguration(env);
  return {
    objects: objectStore(createStorage(storage, database), { clock: systemClock }),
    bytesPerWorkspace: policy.bytesPerWorkspace,
  };
}
