import { readFileSync } from 'node:fs';
import { freePort } from '../../../tools/dev/provision/ports.js';
import { connect } from '../../support/db/connect.js';
import { createTestDatabase } from '../../support/db/database.js';
import {
  type ServiceProcess,
  startApiProcess,
  startWorkerProcess,
} from '../../support/run/service-process.js';
import { startSystem, type TestSystem } from '../../support/system/system.js';
import { createWorkspace } from '../../support/workspace/factories.js';
import type { Scene } from './attack.js';

/** The compiled service, its api and its worker each with the memory that package.json gives it. */
export interface AttackedService {
  system: TestSystem;
  api: ServiceProcess;
  worker: ServiceProcess;
  openScene(neighbourKey: string): Promise<Scene>;
  stop(): Promise<void>;
}

/** Starts it with the quotas and bounds that it comes with. Takes some seconds. */
export async function startAttackedService(): Promise<AttackedService> {
  const testDatabase = await createTestDatabase();
  const system = await startSystem({ testDatabase, worker: false, relay: false });
  const port = await freePort();
  const publicUrl = `http://127.0.0.1:${port}`;
  // As in production, but for receivers of webhooks: here they are on this machine.
  const env = { CHECK_RESPONSES: 'false', WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' };
  const options = { system, testDatabase, publicUrl, env };
  const [api, worker] = await Promise.all([
    startApiProcess({ ...options, nodeFlags: documentedFlags('api') }, port),
    startWorkerProcess({ ...options, nodeFlags: documentedFlags('worker') }),
  ]);
  const asSuperuser: Scene['asSuperuser'] = async (work) => {
    const client = await connect(testDatabase.superuserUrl);
    try {
      await client.query('set session_replication_role = replica');
      await work(client);
    } finally {
      await client.end();
    }
  };
  return {
    system,
    api,
    worker,
    openScene: async (neighbourKey) => ({
      workspace: await createWorkspace(system.database),
      system,
      neighbourKey,
      asSuperuser,
    }),
    async stop() {
      await Promise.all([api.stop(), worker.stop()]);
      await system.stop();
      await testDatabase.drop();
    },
  };
}

function documentedFlags(script: 'api' | 'worker'): string[] {
  const { scripts } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));
  return scripts[script].split(' ').filter((part: string) => part.startsWith('--'));
}
