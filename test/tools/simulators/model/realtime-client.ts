import { EventEmitter, once } from 'node:events';
import { WebSocket } from 'ws';

type Event = { type: string } & Record<string, unknown>;

/** A client of the realtime API that sends what a test says, and keeps what comes. */
export class RealtimeClient {
  readonly events: Event[] = [];
  readonly socket: WebSocket;
  readonly #arrivals = new EventEmitter();

  constructor(url: string, headers: Record<string, string> = { authorization: 'Bearer key' }) {
    this.socket = new WebSocket(`${url.replace('http', 'ws')}/v1/realtime?model=gpt-realtime`, { headers });
    this.socket.on('error', () => undefined);
    this.socket.on('message', (data) => {
      this.events.push(JSON.parse(data.toString()) as Event);
      this.#arrivals.emit('arrival');
    });
  }

  static async open(url: string, session?: Record<string, unknown>): Promise<RealtimeClient> {
    const client = new RealtimeClient(url);
    await client.next('session.created');
    if (session !== undefined) {
      client.send({ type: 'session.update', session: { type: 'realtime', ...session } });
      await client.next('session.updated');
    }
    return client;
  }

  send(event: Record<string, unknown>): void {
    this.socket.send(JSON.stringify(event));
  }

  append(sound: Buffer): void {
    this.send({ type: 'input_audio_buffer.append', audio: sound.toString('base64') });
  }

  /** Resolves to the event number `times` of this type that has come, or comes. */
  async next(type: string, times = 1): Promise<Event> {
    for (;;) {
      const found = this.events.filter((event) => event.type === type)[times - 1];
      if (found !== undefined) return found;
      await once(this.#arrivals, 'arrival');
    }
  }

  /** Sends something that is refused, and returns the error. */
  async refused(event: Record<string, unknown>): Promise<Record<string, unknown>> {
    const before = this.events.filter(({ type }) => type === 'error').length;
    this.send({ event_id: 'mine', ...event });
    return (await this.next('error', before + 1)).error as Record<string, unknown>;
  }
}
