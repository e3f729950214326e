import { mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import { apiPrefix } from '../../api/http/app.js';
import type { S3StorageOptions } from '../../providers/storage/s3-storage.js';
import { freePort } from '../../tools/dev/provision/ports.js';
import { postgresFiles } from '../../tools/dev/provision/postgres-server.js';
import { type ApiResponse, apiAt, type TestApi } from '../support/api/api.js';
import { callAs } from '../support/api/call-as.js';
import { noteDatabaseOf, testLoginSmsFrom } from '../support/api/login.js';
import { connect } from '../support/db/connect.js';
import { createTestDatabase } from '../support/db/database.js';
import { postgresBackend } from '../support/run/backend-client.js';
import {
  type ServiceProcess,
  startApiProcess,
  startMediaProcess,
  startWorkerProcess,
} from '../support/run/service-process.js';
import { newBucket } from '../support/storage/use-storage.js';
import { startSystem, type TestSystem } from '../support/system/system.js';
import { createWorkspace, type TestMember, type TestWorkspace } from '../support/workspace/factories.js';
import { type Marker, planted, secretMarker } from './markers.js';

/** The compiled api, worker and media process as processes of their own, simulators, and a workspace to play in. */
export interface Stage {
  /** Simulators, and clients for looking on; its own api, worker and relay do nothing here. */
  system: TestSystem;
  workspace: TestWorkspace;
  api: WatchedApi;
  /** Calls below the workspace's path, as its admin unless told. */
  raw(member?: Pick<TestMember, 'apiKey'>): ReturnType<typeof callAs>;
  /** The same, for the body of an answer. @throws unless it has the status, or 201 to a POST and 200 to others */
  as(member?: Pick<TestMember, 'apiKey'>): ReturnType<typeof expecting>;
  superuser: pg.Client;
  secrets: Record<string, Marker>;
  keepSecret(name: string, value: string): void;
  apiProcess: ServiceProcess;
  workerProcess: ServiceProcess;
  mediaProcess: ServiceProcess;
  postgresLog(): string;
  stop(): Promise<void>;
}

/** Talkative logs, no limits, as many are refused on purpose, and receivers on this machine, which are asked twice. */
const settings = {
  LOG_LEVEL: 'debug',
  RATE_LIMIT_CREDENTIAL: '0',
  RATE_LIMIT_WORKSPACE: '0',
  RATE_LIMIT_ADDRESS: '0',
  RATE_LIMIT_REFUSALS: '0',
  INBOX_ALLOWED_NETWORKS: '127.0.0.0/8',
  WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
  WEBHOOK_RETRY_DELAYS: '0,0',
};

export async function startStage(): Promise<Stage> {
  const testDatabase = await createTestDatabase();
  const system = await startSystem({ testDatabase, relay: false, worker: false });
  const [port, streamPort] = [await freePort(), await freePort()];
  const publicUrl = `http://127.0.0.1:${port}`;
  const { folder } = await postgresBackend();
  const bucket = await newBucket(mkdtempSync(join(folder, 'spool-')));
  const mail = {
    SMTP_URL: system.mail.smtpUrl,
    MAIL_FROM: 'Sign in <login@example.com>',
    INBOX_DOMAIN: 'example.org',
  };
  const streams = { MEDIA_PORT: String(streamPort), MEDIA_PUBLIC_URL: `ws://127.0.0.1:${streamPort}` };
  const env = {
    ...settings,
    ...mail,
    ...streams,
    ...bucketSettings(bucket),
    LOGIN_SMS_FROM: testLoginSmsFrom,
  };
  const options = { system, testDatabase, publicUrl, env };
  const [apiProcess, workerProcess, mediaProcess] = await Promise.all([
    startApiProcess(options, port),
    startWorkerProcess(options),
    startMediaProcess(options),
  ]);
  const superuser = await connect(testDatabase.superuserUrl);
  const workspace = await createWorkspace(system.database, { name: planted('workspaceName') });
  const api = watchApi(publicUrl);
  noteDatabaseOf(publicUrl, system.database);
  const secrets: Record<string, Marker> = {};
  const stage: Stage = {
    system,
    workspace,
    api,
    raw: (member = workspace.admin) => callAs(api, workspace, member),
    as: (member) => expecting(stage.raw(member)),
    superuser,
    secrets,
    keepSecret(name, value) {
      secrets[name] = secretMarker(value);
    },
    apiProcess,
    workerProcess,
    mediaProcess,
    postgresLog: () =>
      readFileSync(postgresFiles(folder).logFile, 'utf8').replaceAll(/^\d{4}-\d\d-\d\d [\d:.]+ \w+ /gm, ''),
    async stop() {
      await Promise.all([apiProcess.kill(), workerProcess.kill(), mediaProcess.kill(), superuser.end()]);
      await system.stop();
      await testDatabase.drop();
    },
  };
  stage.keepSecret('adminKey', workspace.admin.apiKey);
  // An address of the bucket has both.
  stage.keepSecret('bucket', bucket.bucket);
  stage.keepSecret('bucketSignature', 'X-Amz-Signature');
  return stage;
}

/** Bytes are in a bucket that clients reach, so that answers have addresses of it. */
function bucketSettings({ bucket, endpoint, keyId, secret, spoolFolder }: S3StorageOptions) {
  return {
    STORAGE_FOLDER: spoolFolder,
    STORAGE_S3_BUCKET: bucket,
    STORAGE_S3_ENDPOINT: endpoint,
    STORAGE_S3_PUBLIC_ENDPOINT: endpoint,
    STORAGE_S3_KEY_ID: keyId,
    STORAGE_S3_SECRET: secret,
  };
}

function expecting(call: ReturnType<typeof callAs>) {
  return async (
    method: string,
    path: string,
    body?: unknown,
    status = method === 'POST' ? 201 : 200,
    query: Record<string, string | number> = {},
  ) => answered(await call(method, path, body, query), status);
}

/** The body of an answer. @throws when its status is another */
export function answered<Body>(answer: { status: number; body: Body }, status = 201): Body {
  if (answer.status === status) return answer.body;
  throw new Error(`answered ${answer.status} instead of ${status}: ${JSON.stringify(answer.body)}`);
}

interface SeenProblem {
  request: string;
  status: number;
  code: string;
  text: string;
}

type Asking = Omit<TestApi, 'close'>;

/** An api of which every problem is kept that it answers. */
interface WatchedApi extends Asking {
  problems: SeenProblem[];
  /** Sends a body as it is. `path` is below `/api/v2`. */
  send(
    method: string,
    path: string,
    init: { body?: string; headers?: Record<string, string> },
  ): Promise<void>;
}

function watchApi(baseUrl: string): WatchedApi {
  const api = apiAt(baseUrl);
  const problems: SeenProblem[] = [];
  const note = (request: string, { status, headers, body }: ApiResponse<{ code: string }>) => {
    if (!headers.get('Content-Type')?.startsWith('application/problem+json')) return;
    // The time of day is what it is.
    const told = [...headers].filter(([name]) => name !== 'date');
    problems.push({ request, status, code: body.code, text: JSON.stringify([told, body]) });
  };
  return {
    baseUrl,
    problems,
    async request(method, path, given) {
      const answer = await api.request(method, path, given);
      note(`${method} ${path}`, answer as ApiResponse<{ code: string }>);
      return answer as never;
    },
    async send(method, path, init) {
      const response = await fetch(baseUrl + apiPrefix + path, { method, ...init });
      const { status, headers } = response;
      // A stream would not end.
      if (headers.get('Content-Type')?.startsWith('application/problem+json') !== true) {
        await response.body?.cancel();
        return;
      }
      const body = (await response.json()) as { code: string };
      note(`${method} ${path}`, { status, headers, body });
    },
  };
}
