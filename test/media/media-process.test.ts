import { once } from 'node:events';
import twilio from 'twilio';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { StreamTokens } from '../../domain/calls/stream-tokens.js';
import { streamPath } from '../../media/streams/stream-server.js';
import { type AnsweredCall, answeredCall } from '../support/calls/answered-call.js';
import { useDatabase } from '../support/db/use-database.js';
import { testEncryptionKey } from '../support/lib/encryption.js';
import { waitFor } from '../support/lib/wait-for.js';
import { startMediaProcess } from '../support/run/service-process.js';
import { startSystem } from '../support/system/system.js';
import { useSmsWorkspace } from '../support/system/use-sms-workspace.js';

const testDatabase = useDatabase();
const { system, workspace } = useSmsWorkspace(() =>
  startSystem({ testDatabase, relay: false, worker: false }),
);
const publicUrl = 'wss://media.example.com';
const tokens = new StreamTokens([testEncryptionKey]);

function startMedia(env: Record<string, string> = {}) {
  return startMediaProcess({
    system,
    testDatabase,
    publicUrl: 'https://service.example.com',
    env: { MEDIA_PUBLIC_URL: publicUrl, ...env },
  });
}

/** The carrier opens the stream of a call. */
async function openStream(port: number, call: AnsweredCall, sign = true) {
  const { authToken } = system.carrier.credentials;
  const signature = twilio.getExpectedTwilioSignature(authToken, `${publicUrl}${streamPath}`, {});
  const headers = sign ? { 'X-Twilio-Signature': signature } : {};
  const socket = new WebSocket(`ws://127.0.0.1:${port}${streamPath}`, { headers });
  onTestFinished(() => socket.terminate());
  const closed = new Promise<number>((resolve) => socket.once('close', resolve));
  await once(socket, 'open');
  const { streamId, carrierCallId, parameters } = call.start(1, {
    parameters: {
      workspace: workspace.workspaceUuid,
      call: call.callUuid,
      token: tokens.make({
        workspaceUuid: workspace.workspaceUuid,
        callUuid: call.callUuid,
        attempt: 1,
      }),
    },
  });
  const mediaFormat = { encoding: 'audio/x-mulaw', sampleRate: 8000, channels: 1 };
  const start = { streamSid: streamId, callSid: carrierCallId, customParameters: parameters, mediaFormat };
  socket.send(JSON.stringify({ event: 'connected', protocol: 'Call', version: '1.0.0' }));
  socket.send(JSON.stringify({ event: 'start', sequenceNumber: '1', streamSid: streamId, start }));
  return { socket, closed };
}

const held = (call: AnsweredCall) =>
  waitFor('the call is held', async () => (await call.bridges())[0]?.processId ?? undefined);

describe('the media process', { timeout: 120_000 }, () => {
  it('holds the calls whose streams the carrier opens, and hands them over when it is told to stop', async () => {
    const media = await startMedia();
    const call = await answeredCall(workspace);
    const { closed } = await openStream(media.streamPort, call);
    await held(call);
    const metrics = await (await fetch(`${media.url}/metrics`)).text();
    expect(metrics).toMatch(/^wes_held_calls 1$/m);
    await media.stop();
    expect(await closed).toBe(1000);
    expect(await call.bridges()).toMatchObject([{ endReason: 'drained' }]);
    expect(media.log()).toContain('media stopped');
  });

  it('waits for its calls, and takes no new ones meanwhile', async () => {
    const media = await startMedia({ MEDIA_DRAIN: '600' });
    const call = await answeredCall(workspace);
    const { socket, closed } = await openStream(media.streamPort, call);
    await held(call);
    const stopping = media.stop();
    await waitFor('it is not ready any more', async () => !(await media.isReady()));
    const other = new WebSocket(`ws://127.0.0.1:${media.streamPort}${streamPath}`);
    const refused = await new Promise((resolve) => {
      other.once('unexpected-response', (_, { statusCode }) => resolve(statusCode));
    });
    expect(refused).toBe(503);
    socket.close();
    await Promise.all([stopping, closed]);
    expect(await call.bridges()).toMatchObject([{ endReason: 'closed' }]);
  });
});
