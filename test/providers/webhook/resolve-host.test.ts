import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { resolveHost } from '../../../providers/webhook/resolve-host.js';

const types = { A: 1, AAAA: 28 } as const;
const rcodes = { none: 0, serverFailure: 2, noSuchName: 3 } as const;

interface DnsAnswer {
  rcode?: keyof typeof rcodes;
  /** The bytes of each address. */
  found?: number[][];
}

/** A DNS server (RFC 1035, section 4) for one test. It sends the given answer, or none. @returns its address */
async function startDns(answer: (type: keyof typeof types) => DnsAnswer | undefined): Promise<string> {
  const socket = createSocket('udp4');
  socket.on('message', (query, { port }) => {
    // A header of 12 bytes, the name up to its empty label, type and class.
    const end = query.indexOf(0, 12) + 5;
    const type = query.readUInt16BE(end - 4);
    const told = answer(type === types.A ? 'A' : 'AAAA');
    if (told === undefined) return;
    const { rcode = 'none', found = [] } = told;
    const header = Buffer.from(query.subarray(0, 12));
    header.writeUInt16BE(0x8180 | rcodes[rcode], 2);
    header.writeUInt16BE(found.length, 6);
    header.writeUInt32BE(0, 8);
    const records = found.map((bytes) =>
      Buffer.from([0xc0, 0x0c, 0, type, 0, 1, 0, 0, 0, 0, 0, bytes.length, ...bytes]),
    );
    socket.send(Buffer.concat([header, query.subarray(12, end), ...records]), port);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  onTestFinished(() => void socket.close());
  return `127.0.0.1:${(socket.address() as AddressInfo).port}`;
}

const one = [192, 0, 2, 1];
const two = [192, 0, 2, 2];
const six = [0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1];

async function resolve(answers: Record<keyof typeof types, DnsAnswer | undefined>) {
  const server = await startDns((type) => answers[type]);
  const found = await resolveHost('receiver.example', {
    servers: [server],
    patienceMs: 100,
    deadlineMs: 500,
  });
  return found.map(({ address, family }) => `${family}: ${address}`);
}

describe('resolveHost', () => {
  const [ones, sixes, four] = [{ found: [one] }, { found: [six] }, '4: 192.0.2.1'];
  const failure: DnsAnswer = { rcode: 'serverFailure' };
  const nobody: DnsAnswer = { rcode: 'noSuchName' };

  it.each<[string, DnsAnswer, DnsAnswer, string[]]>([
    ['both families', { found: [one, two] }, sixes, [four, '4: 192.0.2.2', '6: 2001:db8::1']],
    ['IPv4 if there is no other', ones, {}, [four]],
    ['IPv6 if there is no other', {}, sixes, ['6: 2001:db8::1']],
    ['one family if the look-up of the other fails', ones, failure, [four]],
    ['a name that does not exist: none', nobody, nobody, []],
    ['a name without an address: none', {}, {}, []],
  ])('returns all addresses of %s', async (_what, A, AAAA, expected) => {
    expect((await resolve({ A, AAAA })).sort()).toEqual(expected);
  });

  it('rejects when the server reports a failure', async () => {
    await expect(resolve({ A: failure, AAAA: {} })).rejects.toThrow();
    await expect(resolve({ A: {}, AAAA: failure })).rejects.toThrow();
  });

  it('rejects when no server answers in time, also with several servers', async () => {
    const silent = await Promise.all(Array.from({ length: 6 }, () => startDns(() => undefined)));
    const asked = resolveHost('receiver.example', { servers: silent, patienceMs: 300, deadlineMs: 400 });
    await expect(asked).rejects.toMatchObject({ code: 'ECANCELLED' });
  });
});
