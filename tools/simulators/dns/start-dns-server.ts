import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { AUTHORITATIVE_ANSWER, decode, encode, type Packet } from 'dns-packet';
import Type, { type Static } from 'typebox';
import { Check } from 'typebox/value';
import { KnobSet } from '../support/knobs.js';
import { objectWith } from '../support/read-json.js';
import { HttpFailure, type Route, type RunningSimulator, serve } from '../support/serve.js';

const Knobs = Type.Object({
  /** What names of any kind are answered: nothing at all, a failure of the server, or the truth. */
  answer: Type.Enum(['truth', 'silence', 'failure']),
  latencyMs: Type.Integer({ minimum: 0, maximum: 60_000 }),
  /** Names to which all this applies, with what is below them; empty: all. */
  names: Type.Array(Type.String()),
});
type Knobs = Static<typeof Knobs>;

const truth: Knobs = { answer: 'truth', latencyMs: 0, names: [] };
/** Of RFC 1035, 4.1.1. */
const failures = { server: 2, noSuchName: 3 } as const;

export interface RunningDns extends RunningSimulator {
  /** Address and port of the DNS server itself, as `DNS_SERVERS` takes it. */
  server: string;
}

/** Starts a DNS server on UDP that has the TXT records that it is told over HTTP, with faults; see `tools/simulators/README.md`. */
export async function startDnsServer({
  port,
  host = '127.0.0.1',
}: {
  port: number;
  host?: string;
}): Promise<RunningDns> {
  const zone = new Map<string, string[]>();
  const asked: string[] = [];
  const knobs = new KnobSet(Knobs, truth);
  const socket = createSocket('udp4');
  socket.on('message', (message, from) => {
    void (async () => {
      const query = decode(message);
      const name = query.questions?.[0]?.name.toLowerCase() ?? '';
      asked.push(name);
      const applies =
        knobs.now.names.length === 0 ||
        knobs.now.names.some((one) => name === one || name.endsWith(`.${one}`));
      const now = applies ? knobs.now : truth;
      if (now.answer === 'silence') return;
      if (now.latencyMs > 0) await delay(now.latencyMs);
      const reply = encode(answerTo(query, name, now.answer === 'failure' ? undefined : zone));
      // The server may have been closed meanwhile.
      if (isOpen) socket.send(reply, from.port, from.address);
    })();
  });
  let isOpen = true;
  socket.bind(port, host);
  await once(socket, 'listening');

  const routes: Route[] = [
    [
      'PUT',
      '/records/{name}',
      (request) => {
        const { texts } = objectWith(request.json(), ['texts']);
        if (!Check(Type.Array(Type.String({ maxLength: 2_000 })), texts)) {
          throw new HttpFailure(400, { error: 'texts has to be a list of texts.' });
        }
        zone.set((request.params.name ?? '').toLowerCase(), texts);
        return { status: 204 };
      },
    ],
    [
      'DELETE',
      '/records/{name}',
      ({ params }) => {
        zone.delete((params.name ?? '').toLowerCase());
        return { status: 204 };
      },
    ],
    ['GET', '/queries', () => ({ body: { names: asked } })],
    ...knobs.routes(),
    ['GET', '/health', () => ({ body: { status: 'ok', simulated: 'dns' } })],
  ];
  const control = await serve(routes, port, host);
  return {
    url: control.url,
    server: `${host}:${socket.address().port}`,
    async close() {
      isOpen = false;
      await closed(socket);
      await control.close();
    },
  };
}

/** The answer of an authoritative server; without a zone, that it has failed. */
function answerTo(query: Packet, name: string, zone: ReadonlyMap<string, string[]> | undefined): Packet {
  const { id = 0, questions = [] } = query;
  const reply = { type: 'response' as const, id, questions };
  if (zone === undefined) return { ...reply, flags: failures.server };
  const texts = zone.get(name);
  // A name is there as well if there are names below it (RFC 8020).
  const isThere = texts !== undefined || [...zone.keys()].some((one) => one.endsWith(`.${name}`));
  if (!isThere) return { ...reply, flags: AUTHORITATIVE_ANSWER | failures.noSuchName };
  const wanted = questions[0]?.type === 'TXT' ? (texts ?? []) : [];
  const answers = wanted.map((text) => ({ type: 'TXT' as const, name, ttl: 60, data: partsOf(text) }));
  return { ...reply, flags: AUTHORITATIVE_ANSWER, answers };
}

/** A text of a record has parts of 255 bytes at most (RFC 1035, 3.3). */
function partsOf(text: string): Buffer[] {
  const bytes = Buffer.from(text);
  const parts = Array.from({ length: Math.ceil(bytes.length / 255) }, (_, at) =>
    bytes.subarray(at * 255, (at + 1) * 255),
  );
  return parts.length === 0 ? [bytes] : parts;
}

async function closed(socket: Socket): Promise<void> {
  const gone = once(socket, 'close');
  socket.close();
  await gone;
}
