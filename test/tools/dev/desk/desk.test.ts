import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { PassThrough } from 'node:stream';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type ApiClient, adminClient } from '../../../../tools/dev/demo/api-client.js';
import { runDesk } from '../../../../tools/dev/desk/run-desk.js';
import type { DevFile } from '../../../../tools/dev/launcher/dev-file.js';

afterEach(() => vi.restoreAllMocks());

const participants = [{ name: 'Robin Sample', role: 'user' }];
const chat = { channel: 'web-chat', assignmentId: null, participants };
const waiting = {
  ...chat,
  id: 18,
  needsResponse: true,
  needsResponseText: 'the task “Nurse” handed the chat over: The pain is 8 or more',
  lastMessage: { text: 'Nine' },
};
const claimed = { ...waiting, id: 17 };
const answered = { ...chat, id: 19, needsResponse: false };
const messages = [
  { id: 'b', role: 'system', content: 'Handed over: A bad visit' },
  { id: 'a', role: 'user', content: 'It hurts' },
];

const listed = (path: string) => {
  if (path.startsWith('/chats/needs-response?state=claimed')) return [claimed];
  return path.startsWith('/chats/needs-response?') ? [waiting] : [answered];
};

/** What the desk prints and changes while these lines are typed. */
async function type(...lines: string[]) {
  const changes: { path: string; body: unknown }[] = [];
  const colleague = (async (method: string, path: string, body?: object) => {
    if (method !== 'GET') changes.push({ path, body });
    return path.includes('/messages') ? messages : { items: listed(path) };
  }) as unknown as ApiClient;
  const printed = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  const input = new PassThrough();
  input.end(lines.map((line) => `${line}\n`).join(''));
  await runDesk(colleague, input);
  return { changes, shown: printed.mock.calls.map(([line]) => String(line)).join('\n') };
}

const sent = (message: string) => ({ path: '/chats/19/send-assistant-message', body: { message } });

describe('the desk', () => {
  it.each(['/release', '/note hello', '/claim', '/back Settled', '/quit now', 'help', '/help'])(
    'sends nobody the line “%s”, and shows the commands',
    async (line) => {
      const { changes, shown } = await type('19', line);
      expect(changes).toEqual([]);
      expect(shown).toMatch(/\/back {2,}gives the open chat back/);
    },
  );

  it('says which line is no command', async () => {
    const { shown } = await type('19', 'help', '/release');
    expect(shown.match(/.* is no command/g)).toEqual(['“/release” is no command']);
  });

  it('sends a text, and one that begins with a slash after another slash', async () => {
    const { changes } = await type('19', 'Help is on the way', '//etc is a folder');
    expect(changes).toEqual([sent('Help is on the way'), sent('/etc is a folder')]);
  });

  it('names the commands at its start', async () => {
    expect((await type()).shown.split('\n').slice(0, 2).join()).toMatch(/\/back, \/list, \/help, \/quit/);
  });

  it('lists the chats that wait with the reason in words, and those that colleagues have', async () => {
    const { shown } = await type();
    expect(shown).toMatch(
      /18 {2}Nine .*web-chat: the task “Nurse” handed the chat over: The pain is 8 or more/,
    );
    expect(shown).toMatch(/Chats that colleagues have:\n17 .*\n19 {2}Robin Sample/);
  });

  it('gives back a chat that was answered before the desk began', async () => {
    const { changes } = await type('19', '/back');
    expect(changes).toEqual([{ path: '/chats/19', body: { paused: false } }]);
  });

  it.each([17, 18])('claims chat %i, which has no answer', async (id) => {
    expect((await type(String(id))).changes).toEqual([{ path: `/chats/${id}/claim`, body: {} }]);
  });

  it('marks notes, which the member does not read', async () => {
    const { shown } = await type('19');
    expect(shown).toContain('member  ←  It hurts\nnote    ·  Handed over: A bad visit');
  });

  it('ends with the error of a system that is stopped', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    await once(server.close(), 'close');
    const dev = { baseUrl: `http://127.0.0.1:${port}`, workspaceUuid: 'w', adminApiKey: 'k' } as DevFile;
    vi.spyOn(console, 'log').mockImplementation(() => undefined);
    const error = await runDesk(adminClient(dev), new PassThrough()).catch((reason) => reason);
    expect(error).toMatchObject({ cause: { code: 'ECONNREFUSED' } });
  });
});
