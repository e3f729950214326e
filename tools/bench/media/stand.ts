import { setTimeout as pause } from 'node:timers/promises';
import { StreamTokens } from '../../../domain/calls/stream-tokens.js';
import { streamPath } from '../../../media/streams/stream-server.js';
import { nodeArgs as programArgs } from '../../../runtime/node-args.js';
import { type AnsweredCall, answeredCall } from '../../../test/support/calls/answered-call.js';
import { sign } from '../../simulators/carrier/post-webhook.js';
import { DEFAULT_ACCOUNT_SID, DEFAULT_AUTH_TOKEN } from '../../simulators/carrier/start-carrier-simulator.js';
import type { ProgramExtras, StageProcess } from '../stage/processes.js';
import { encryptionKey, type Stage } from '../stage/stage.js';
import { storageFolderOf } from '../support/add-file.js';
import { addAssistant } from '../support/ask.js';
import type { Kind, Waits } from './load.js';
import type { LoadedStream } from './load-call.js';

/** The calls of one kind: those of a media process, or of a relay. */
export interface Calls {
  process: StageProcess;
  /** @param everyMs one after the other */
  open(count: number, everyMs: number): Promise<void>;
  frames(seconds: number): Promise<Waits>;
  clears(seconds: number): Promise<Waits>;
  /** Both sides of all calls speak for so long. */
  hold(seconds: number): Promise<void>;
  /** As many frames on both sides of the first call as fast as they are taken. */
  flood(count: number): Promise<void>;
  interrupt(): Promise<void>;
}

/** One process that plays carrier and model, and a media process or a relay between. */
export async function openStand(stage: Stage) {
  // A collection of its garbage would count for both sides.
  const load = await stage.startScript(new URL('./load.ts', import.meta.url), {
    nodeArgs: programArgs.media,
    env: {},
  });
  await addAssistant(stage);
  const command = async <T>(name: string, body: object): Promise<T> => {
    const response = await fetch(load.url + name, { method: 'POST', body: JSON.stringify(body) });
    const answer = await response.text();
    if (!response.ok) throw new Error(`${name}: ${answer}`);
    return JSON.parse(answer) as T;
  };
  const callsOf = (
    kind: Kind,
    process: StageProcess,
    streams: (count: number) => Promise<LoadedStream[]>,
  ): Calls => ({
    process,
    async open(count, everyMs) {
      await command('/open', { kind, streams: await streams(count), everyMs });
    },
    frames: (seconds) => command('/frames', { kind, seconds }),
    clears: (seconds) => command('/clears', { kind, seconds }),
    hold: (seconds) => command('/hold', { kind, seconds }),
    flood: (count) => command('/flood', { kind, count }),
    interrupt: () => command('/interrupt', { kind }),
  });
  return {
    async service({ nodeArgs = [], env = {} }: Partial<ProgramExtras> = {}): Promise<Calls> {
      const media = await stage.startMedia({
        nodeArgs,
        env: {
          ...env,
          OPENAI_BASE_URL: `${load.url}/v1`,
          STORAGE_FOLDER: storageFolderOf(stage),
          TWILIO_ACCOUNT_SID: DEFAULT_ACCOUNT_SID,
          TWILIO_AUTH_TOKEN: DEFAULT_AUTH_TOKEN,
        },
      });
      const url = `${media.publicUrl}${streamPath}`;
      return callsOf('service', media, (count) => answeredStreams(stage, url, count));
    },
    async relay(): Promise<Calls> {
      const env = { MODEL_URL: `${load.url.replace('http', 'ws')}/v1/realtime` };
      const relay = await stage.startScript(new URL('./baseline-proxy.ts', import.meta.url), { env });
      const url = relay.url.replace('http', 'ws');
      return callsOf('relay', relay, async (count) =>
        Array.from({ length: count }, (_, index) => plainStream(url, index)),
      );
    },
  };
}

const plainStream = (url: string, index: number): LoadedStream => ({
  url,
  signature: '',
  streamId: `MZ${index}`,
  carrierCallId: `CA${index}`,
  parameters: {},
});

/** Streams of calls that were answered, of which no run knows. */
async function answeredStreams(stage: Stage, url: string, count: number): Promise<LoadedStream[]> {
  const { workspace } = stage;
  const { workspaceUuid } = workspace;
  const tokens = new StreamTokens([encryptionKey]);
  const signature = sign(DEFAULT_AUTH_TOKEN, url, {});
  const streams: LoadedStream[] = [];
  for (let made = 0; made < count; made += 1) {
    const call: AnsweredCall = await answeredCall(workspace);
    const token = tokens.make({ workspaceUuid, callUuid: call.callUuid, attempt: 1 });
    const { streamId, carrierCallId } = call.start();
    const parameters = { workspace: workspaceUuid, call: call.callUuid, token };
    streams.push({ url, signature, streamId, carrierCallId, parameters });
  }
  return streams;
}

/** While one process is measured, the other one does nothing at all. */
export async function alone<T>(stopped: StageProcess, measure: () => Promise<T>): Promise<T> {
  process.kill(stopped.pid, 'SIGSTOP');
  try {
    return await measure();
  } finally {
    process.kill(stopped.pid, 'SIGCONT');
    await pause(catchUpMs);
  }
}

/** What has become due meanwhile is done before the other one is measured. */
const catchUpMs = 500;
