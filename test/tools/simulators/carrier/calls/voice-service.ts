import { once } from 'node:events';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { startServer } from '../../../../providers/misbehaving-server.js';

/** Polls often: what is looked for may be over soon. */
export const eventually = <T>(look: () => T) => expect.poll(look, { interval: 10 });

/** A message of the carrier on a media socket. */
export interface StreamMessage {
  event: string;
  sequenceNumber?: string;
  streamSid?: string;
  start?: {
    streamSid: string;
    callSid: string;
    customParameters: Record<string, string>;
    mediaFormat: object;
  };
  media?: { track: string; chunk: string; timestamp: string; payload: string };
  mark?: { name: string };
  dtmf?: { track: string; digit: string };
  stop?: { accountSid: string; callSid: string };
}

/** A media socket as the service has it. */
export class ServiceStream {
  readonly messages: StreamMessage[] = [];
  closed: number | undefined;

  constructor(
    readonly socket: WebSocket,
    readonly upgrade: { url: string; headers: IncomingHttpHeaders },
  ) {
    socket.on('message', (data) => this.messages.push(JSON.parse(String(data)) as StreamMessage));
    socket.on('close', (code) => {
      this.closed = code;
    });
  }

  get id(): string {
    return this.messages.find(({ event }) => event === 'start')?.start?.streamSid ?? '';
  }

  of(event: string): StreamMessage[] {
    return this.messages.filter((message) => message.event === event);
  }

  async has(event: string, count = 1): Promise<StreamMessage[]> {
    await eventually(() => this.of(event).length).toBeGreaterThanOrEqual(count);
    return this.of(event);
  }

  send(message: object): void {
    this.socket.send(JSON.stringify({ streamSid: this.id, ...message }));
  }

  /** So much loud audio. */
  play(ms: number): void {
    this.send({ event: 'media', media: { payload: Buffer.alloc(ms * 8, 0x10).toString('base64') } });
  }

  mark(name: string): void {
    this.send({ event: 'mark', mark: { name } });
  }

  marks(): (string | undefined)[] {
    return this.of('mark').map(({ mark }) => mark?.name);
  }
}

export interface VoiceRequest {
  method: string | undefined;
  path: string;
  signature: string | undefined;
  fields: Record<string, string>;
}

type Answer = string | ((response: ServerResponse) => void);

/** Stands where our service would be, until the test ends: answers with TwiML by path, and takes media sockets. */
export async function startVoiceService() {
  const requests: VoiceRequest[] = [];
  const answers = new Map<string, Answer[]>();
  const streams: ServiceStream[] = [];
  let refuseWith: number | undefined;

  const url = await startServer(async (request, response) => {
    const fields = await readForm(request);
    const path = request.url ?? '';
    const signature = request.headers['x-twilio-signature'];
    requests.push({
      method: request.method,
      path,
      fields,
      signature: typeof signature === 'string' ? signature : undefined,
    });
    const left = answers.get(path.split('?')[0] ?? '');
    const answer = (left !== undefined && left.length > 1 ? left.shift() : left?.[0]) ?? '';
    if (typeof answer === 'function') answer(response);
    else response.writeHead(200, { 'content-type': 'text/xml' }).end(answer);
  });
  const sockets = new WebSocketServer({
    port: 0,
    host: '127.0.0.1',
    verifyClient: (_, decide) => decide(refuseWith === undefined, refuseWith),
  });
  await once(sockets, 'listening');
  sockets.on('connection', (socket, request) => {
    const { url: path = '', headers } = request;
    streams.push(new ServiceStream(socket, { url: path, headers }));
  });
  const streamUrl = `ws://127.0.0.1:${(sockets.address() as AddressInfo).port}/call-streams`;

  return {
    url,
    requests,
    streams,
    streamUrl,
    /** What the path answers from now on, one after the other; the last one stays. */
    answer(path: string, ...given: Answer[]): void {
      answers.set(
        path,
        given.map((one) => (typeof one === 'string' ? `<Response>${one}</Response>` : one)),
      );
    },
    close(): void {
      for (const client of sockets.clients) client.terminate();
      sockets.close();
    },
    refuseStreams(status: number): void {
      refuseWith = status;
    },
    to: (path: string): VoiceRequest[] => requests.filter((request) => request.path.split('?')[0] === path),
    async stream(number = 1): Promise<ServiceStream> {
      await eventually(() => streams[number - 1]?.id ?? '').not.toBe('');
      return streams[number - 1] as ServiceStream;
    },
  };
}

export type VoiceService = Awaited<ReturnType<typeof startVoiceService>>;

async function readForm(request: IncomingMessage): Promise<Record<string, string>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString('utf8')));
}
