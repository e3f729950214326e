import { randomBytes } from 'node:crypto';
import { WebSocket } from 'ws';
import { sign } from '../post-webhook.js';
import { AudioTrackBuffer } from './audio-track-buffer.js';
import type { StreamRecord } from './call-store.js';
import type { JoinedSocket } from './joined-socket.js';
import type { LiveCall } from './live-call.js';
import { bytesPerMs, frameBytes, frameMs, silence } from './mulaw.js';
import { Playback } from './playback.js';

const quiet = silence(frameBytes);
const handshakeMs = 5_000;
const closeMs = 1_000;

export type StreamEnd = { end: 'service' | 'stop' } | { end: 'error'; code: number; error: string };

/**
 * A media socket to the service, as the carrier speaks it. What it does not take from the service is left out, with
 * warning 31951 once in a stream; what breaks the protocol of the socket is error 31924.
 * https://www.twilio.com/docs/voice/media-streams/websocket-messages
 */
export class MediaStream implements JoinedSocket {
  readonly record: StreamRecord;
  readonly said = new AudioTrackBuffer();
  readonly played = new AudioTrackBuffer();
  readonly #live: LiveCall;
  readonly #playback = new Playback();
  #socket: WebSocket | undefined;
  #sequence = 0;
  #chunk = 0;
  #frames = 0;
  #stalledUntilMs = 0;
  #withheld: string[] = [];
  #dropped = 0;
  #echoed = 0;
  #hasWarned = false;
  #failure: { code: number; error: string } | undefined;

  constructor(live: LiveCall, url: string, parameters: Record<string, string>) {
    this.#live = live;
    // The carrier leaves the query out.
    const { protocol, host, pathname } = new URL(url);
    this.record = {
      sid: `MZ${randomBytes(16).toString('hex')}`,
      url: `${protocol}//${host}${pathname}`,
      parameters,
      beganMs: live.line?.ms ?? 0,
      endedMs: null,
      end: null,
      framesSent: 0,
      playedMs: 0,
      droppedMs: 0,
      clears: 0,
      marks: [],
    };
  }

  /** Opens the stream, and resolves when it has ended: by the service, by an error, or by the signal. */
  async run(signal: AbortSignal, begun: () => void): Promise<StreamEnd> {
    const { url } = this.record;
    const { authToken } = this.#live.exchange.sender;
    const socket = new WebSocket(url, {
      headers: { 'x-twilio-signature': sign(authToken, url, {}) },
      handshakeTimeout: handshakeMs,
      perMessageDeflate: false,
    });
    this.#socket = socket;
    let status: number | undefined;
    socket.on('unexpected-response', (_, response) => {
      status = response.statusCode;
      socket.terminate();
    });
    socket.on('error', () => undefined);
    socket.on('message', (data, isBinary) => this.#take(String(data), isBinary));
    socket.on('open', () => {
      this.#begin();
      begun();
    });
    const stop = (): void => this.#stop();
    if (signal.aborted) socket.terminate();
    signal.addEventListener('abort', stop, { once: true });
    let isOpen = false;
    socket.once('open', () => {
      isOpen = true;
    });
    const code = await new Promise<number>((resolve) => socket.once('close', resolve));
    signal.removeEventListener('abort', stop);
    return this.#ended(signal, { isOpen, status, code });
  }

  /** A frame of the person, and what it hears meanwhile. Returns the milliseconds that it heard. */
  frame(said: Buffer): number {
    if (this.#socket?.readyState !== WebSocket.OPEN) return 0;
    const { audio, marks } = this.#playback.play(frameBytes);
    const playedMs = audio.length / bytesPerMs;
    this.record.playedMs += playedMs;
    this.#frames += 1;
    this.said.add(said);
    this.played.add(audio);
    this.played.add(quiet.subarray(audio.length));
    this.#echo(marks, 'played');
    this.#sendFrame(said);
    return playedMs;
  }

  press(digit: string): void {
    this.#send('dtmf', { dtmf: { track: 'inbound_track', digit } });
  }

  /** For so long frames do not come, and then all at once. */
  stall(ms: number): void {
    this.#stalledUntilMs = this.#frames * frameMs + ms;
  }

  /** The next frames are lost on their way to the carrier; the numbers go on. */
  drop(frames: number): void {
    this.#dropped += frames;
  }

  /** As when the carrier's end dies: without `stop` and without a closing handshake. */
  break(): void {
    this.#failure = { code: 31903, error: 'The connection broke' };
    this.#socket?.terminate();
  }

  #begin(): void {
    const { call, exchange } = this.#live;
    this.#socket?.send(JSON.stringify({ event: 'connected', protocol: 'Call', version: '1.0.0' }));
    this.#send('start', {
      start: {
        accountSid: exchange.accountSid,
        streamSid: this.record.sid,
        callSid: call.sid,
        tracks: ['inbound'],
        mediaFormat: { encoding: 'audio/x-mulaw', sampleRate: 8_000, channels: 1 },
        customParameters: this.record.parameters,
      },
    });
  }

  #sendFrame(said: Buffer): void {
    if (this.#dropped > 0) {
      this.#dropped -= 1;
      return;
    }
    this.#chunk += 1;
    this.record.framesSent += 1;
    const media = {
      track: 'inbound',
      chunk: String(this.#chunk),
      timestamp: String((this.#frames - 1) * frameMs),
      payload: said.toString('base64'),
    };
    if (this.#frames * frameMs <= this.#stalledUntilMs) {
      this.#withheld.push(this.#message('media', { media }));
      return;
    }
    for (const held of this.#withheld.splice(0)) this.#socket?.send(held);
    this.#send('media', { media });
  }

  #send(event: string, more: object): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(this.#message(event, more));
  }

  /** Numbers are strings, and count from 1. */
  #message(event: string, more: object): string {
    this.#sequence += 1;
    return JSON.stringify({
      event,
      sequenceNumber: String(this.#sequence),
      streamSid: this.record.sid,
      ...more,
    });
  }

  #take(text: string, isBinary: boolean): void {
    if (isBinary) {
      this.#failure = { code: 31924, error: 'Stream - WebSocket - Protocol Error' };
      this.#socket?.terminate();
      return;
    }
    const message = readMessage(text, this.record.sid);
    if (message === undefined) this.#warn();
    else if (message.event === 'media') this.#playback.add(message.audio);
    else if (message.event === 'mark') this.#mark(message.name);
    else this.#clear();
  }

  #mark(name: string): void {
    this.record.marks.push({ name, state: 'waiting' });
    this.#echo(this.#playback.mark(name), 'played');
  }

  #clear(): void {
    const { bytes, marks } = this.#playback.clear();
    this.record.clears += 1;
    this.record.droppedMs += bytes / bytesPerMs;
    this.#echo(marks, 'cleared');
  }

  #echo(marks: readonly string[], state: 'played' | 'cleared'): void {
    for (const name of marks) {
      // They come back in the order in which they were sent.
      const mark = this.record.marks[this.#echoed];
      this.#echoed += 1;
      if (mark !== undefined) mark.state = state;
      this.#send('mark', { mark: { name } });
    }
  }

  #warn(): void {
    if (this.#hasWarned) return;
    this.#hasWarned = true;
    this.#live.warn(31951, 'Stream - Protocol - Invalid message');
  }

  /** The call is over or goes elsewhere. */
  #stop(): void {
    const { call, exchange } = this.#live;
    if (this.#socket?.readyState !== WebSocket.OPEN) {
      this.#socket?.terminate();
      return;
    }
    this.#note('stop');
    this.#send('stop', { stop: { accountSid: exchange.accountSid, callSid: call.sid } });
    this.#socket.close(1000);
    // It does not wait long for a service that does not answer.
    setTimeout(() => this.#socket?.terminate(), closeMs).unref();
  }

  #ended(
    signal: AbortSignal,
    { isOpen, status, code }: { isOpen: boolean; status: number | undefined; code: number },
  ): StreamEnd {
    const ended = this.#endOf(signal, isOpen, status, code);
    if (this.record.end === null) this.#note(ended.end);
    return ended;
  }

  #note(end: StreamRecord['end']): void {
    this.record.endedMs = this.#live.line?.ms ?? 0;
    this.record.end = end;
  }

  #endOf(signal: AbortSignal, isOpen: boolean, status: number | undefined, code: number): StreamEnd {
    if (this.#failure !== undefined) return { end: 'error', ...this.#failure };
    if (signal.aborted) return { end: 'stop' };
    if (!isOpen) {
      const refused = status === undefined ? 'no connection' : `status ${status}`;
      return { end: 'error', code: 31920, error: `Stream - WebSocket - Handshake Error: ${refused}` };
    }
    // Without a closing handshake, the service's process has died.
    if (code === 1006) return { end: 'error', code: 31903, error: 'The connection broke' };
    return { end: 'service' };
  }
}

type Message = { event: 'media'; audio: Buffer } | { event: 'mark'; name: string } | { event: 'clear' };

const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

function readMessage(text: string, streamSid: string): Message | undefined {
  const message = parsed(text);
  if (!isRecord(message) || message.streamSid !== streamSid) return undefined;
  const { event, media, mark } = message;
  if (event === 'clear') return { event };
  if (event === 'mark' && isRecord(mark) && typeof mark.name === 'string' && mark.name !== '') {
    return { event, name: mark.name };
  }
  const payload = isRecord(media) ? media.payload : undefined;
  if (event !== 'media' || typeof payload !== 'string' || payload === '' || !base64.test(payload))
    return undefined;
  return { event, audio: Buffer.from(payload, 'base64') };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
