import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiPrefix } from '../../../../api/http/app.js';
import { wavHeader } from '../../../../domain/calls/recordings/wav.js';
import { describeAccess } from '../../../support/api/access-cases.js';
import { useApi } from '../../../support/api/use-api.js';
import { answeredCall } from '../../../support/calls/answered-call.js';
import { type RecordedCall, recordedCall } from '../../../support/calls/recorded-call.js';
import { scratchStorage } from '../../../support/storage/scratch-storage.js';
import { addMember, type TestMember } from '../../../support/workspace/factories.js';

const { storage, remove } = scratchStorage();
afterAll(remove);
const { api, workspace, otherWorkspace } = useApi({ storage });

const [first, second] = [randomBytes(200), randomBytes(100)];
let call: RecordedCall;
beforeAll(async () => {
  // The second part begins ten frames before the end of the first, the last one 20 frames after that of the second.
  const sounds = [
    { startFrame: 0, bytes: first },
    { startFrame: 90, bytes: second },
    { startFrame: 160, bytes: first },
  ];
  call = await recordedCall(workspace, storage, sounds);
});
const whole = Buffer.concat([wavHeader(260), first, second.subarray(20), Buffer.alloc(40, 0xff), first]);

interface Asked {
  as?: TestMember;
  method?: string;
  headers?: Record<string, string>;
}

async function get(path: string, { as = workspace.admin, method = 'GET', headers = {} }: Asked = {}) {
  const address = api.baseUrl + apiPrefix + workspace.path(`/recordings/chat/${path}`);
  const response = await fetch(address, {
    method,
    headers: { Authorization: `Bearer ${as.apiKey}`, ...headers },
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  return { status: response.status, headers: response.headers, bytes };
}

const audio = ({ chatId }: { chatId: number }) => `${chatId}/audio.wav`;

describe('the recording of a call', () => {
  it('is one file: parts in a row, silence between them, and nothing twice', async () => {
    const { status, headers, bytes } = await get(audio(call));
    expect(status).toBe(200);
    expect(bytes).toEqual(whole);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'audio/wav',
      'content-length': String(whole.length),
      'accept-ranges': 'bytes',
      'content-disposition': `inline; filename="call-${call.callId}.wav"`,
      'cache-control': 'private, no-cache',
    });
  });

  it('is answered in ranges, wherever they begin and end', async () => {
    const edges = [0, 1, 57, 58, 59, 257, 258, 259, 337, 338, 339, 377, 378, 379, whole.length - 1];
    for (const start of edges) {
      for (const end of edges.filter((one) => one >= start)) {
        const answer = await get(audio(call), { headers: { Range: `bytes=${start}-${end}` } });
        expect([answer.status, start, end]).toEqual([206, start, end]);
        expect(answer.bytes.equals(whole.subarray(start, end + 1))).toBe(true);
      }
    }
    const last = await get(audio(call), { headers: { Range: 'bytes=-10' } });
    expect(last.bytes).toEqual(whole.subarray(-10));
    expect((await get(audio(call), { headers: { Range: `bytes=${whole.length}-` } })).status).toBe(416);
  });

  it('is known by its ETag, which changes with each part', async () => {
    const own = await recordedCall(workspace, storage, [{ startFrame: 0, bytes: second }]);
    const before = await get(audio(own));
    const tag = before.headers.get('etag') ?? '';
    expect((await get(audio(own), { headers: { 'If-None-Match': tag } })).status).toBe(304);
    await own.add({ startFrame: 50, bytes: first });
    const after = await get(audio(own), { headers: { 'If-None-Match': tag } });
    expect([after.status, after.bytes.length]).toEqual([200, 58 + 300]);
    // A download that goes on would otherwise have the header of another file.
    const rest = await get(audio(own), { headers: { Range: 'bytes=100-', 'If-Range': tag } });
    expect([rest.status, rest.bytes.length]).toEqual([200, 58 + 300]);
    const head = await get(audio(own), { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length'), head.bytes.length]).toEqual([200, '358', 0]);
  });

  it('is that of the newest call of the chat, or of a given one', async () => {
    const older = await recordedCall(workspace, storage, [{ startFrame: 0, bytes: first }]);
    await older.finish();
    const { chatId } = older;
    const newer = await recordedCall(workspace, storage, [{ startFrame: 0, bytes: second }], { chatId });
    await newer.finish();
    const silent = await answeredCall(workspace, { chatId });
    expect((await get(audio(older))).bytes).toEqual(Buffer.concat([wavHeader(50), second]));
    const of = (callId: number) => get(`${audio(older)}?phoneCallId=${callId}`);
    expect((await of(older.callId)).bytes).toEqual(Buffer.concat([wavHeader(100), first]));
    for (const callId of [silent.callId, call.callId, 2_000_000_000])
      expect((await of(callId)).status).toBe(404);
    expect((await get(`${audio(older)}?phoneCallId=x`)).status).toBe(400);
  });

  it('is empty before its first part is stored, and is none where nothing was recorded', async () => {
    const begun = await recordedCall(workspace, storage, []);
    expect((await get(audio(begun))).bytes).toEqual(wavHeader(0));
    const unrecorded = await answeredCall(workspace);
    const answer = await get(audio(unrecorded));
    expect([answer.status, JSON.parse(answer.bytes.toString()).code]).toEqual([404, 'not_found']);
    expect((await get('2000000000/audio.wav')).status).toBe(404);
  });

  it('is for those who may read the chat', async () => {
    const stranger = await addMember(workspace);
    const reader = await addMember(workspace, { permissions: ['chats:read'] });
    const statuses = await Promise.all(
      [workspace.member, reader, stranger].map(async (as) => (await get(audio(call), { as })).status),
    );
    expect(statuses).toEqual([200, 200, 403]);
  });
});

describeAccess({ api, workspace, otherWorkspace }, ['GET /recordings/chat/{chat_id}/audio.wav'], () => [
  {
    method: 'GET',
    path: `/recordings/chat/${audio(call)}`,
    scope: 'chats:read',
    needsPermission: true,
    namesItem: true,
  },
]);
