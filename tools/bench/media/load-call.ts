import { setTimeout as pause } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { frame, frameMs, readFrame, UnderWay } from './frames.js';

/** What the carrier's `start` says, and where it goes. */
export interface LoadedStream {
  url: string;
  signature: string;
  streamId: string;
  carrierCallId: string;
  parameters: Readonly<Record<string, string>>;
}

/** What is told of what arrives. Milliseconds. */
export interface Observer {
  waited(ms: number): void;
  cleared(ms: number): void;
}

const coughMs = 150;
const words = 'One two three four five six seven eight nine ten.';
const usage = {
  total_tokens: 4,
  input_tokens: 2,
  output_tokens: 2,
  input_token_details: { text_tokens: 1, audio_tokens: 1, cached_tokens: 0 },
  output_token_details: { text_tokens: 1, audio_tokens: 1 },
};

interface Response {
  id: string;
  itemId: string;
  metadata: unknown;
}

/** Both ends of one call: its stream at the carrier, and the session that the model is asked for. */
export class LoadCall {
  readonly toModel = new UnderWay();
  readonly toCarrier = new UnderWay();
  /** Whether frames are sent as time goes on; otherwise the time of the stream is that of its frames. */
  isPaced = true;
  /** How long the carrier takes to play what it was sent: its marks come back then. */
  markMs = 0;
  /** How many responses the bridge has asked for. */
  responses = 0;
  readonly #number: number;
  readonly #observer: Observer;
  readonly #carrier: WebSocket;
  readonly #streamId: string;
  readonly #beganAt = performance.now();
  #model: WebSocket | undefined;
  #response: Response | undefined;
  #isRelayed = false;
  #count = 0;
  #spokeAt: number | undefined;

  private constructor(number: number, stream: LoadedStream, observer: Observer) {
    this.#number = number;
    this.#observer = observer;
    this.#streamId = stream.streamId;
    this.#carrier = new WebSocket(stream.url, {
      headers: { 'x-twilio-signature': stream.signature },
      perMessageDeflate: false,
    });
    this.#carrier.on('message', (data) => this.#atCarrier(String(data)));
  }

  static async open(number: number, stream: LoadedStream, observer: Observer): Promise<LoadCall> {
    const call = new LoadCall(number, stream, observer);
    await new Promise((resolve, reject) => {
      call.#carrier.once('open', resolve).once('error', reject);
    });
    const { streamId: streamSid, carrierCallId: callSid, parameters: customParameters } = stream;
    const mediaFormat = { encoding: 'audio/x-mulaw', sampleRate: 8_000, channels: 1 };
    const start = { streamSid, callSid, tracks: ['inbound'], mediaFormat, customParameters };
    call.#carrier.send(JSON.stringify({ event: 'connected', protocol: 'Call', version: '1.0.0' }));
    call.#carrier.send(JSON.stringify({ event: 'start', sequenceNumber: '1', streamSid, start }));
    return call;
  }

  /** Whether the agent has begun to speak, and goes on. */
  get isSpeaking(): boolean {
    return this.#response !== undefined || (this.#isRelayed && this.#model !== undefined);
  }

  /** Bytes that the other side has not taken. */
  get waitingBytes(): number {
    return Math.max(this.#carrier.bufferedAmount, this.#model?.bufferedAmount ?? 0);
  }

  /** A session of the model belongs to the call whose frames it hears. @param isRelayed without the protocol of the model */
  join(model: WebSocket, isRelayed: boolean): void {
    this.#model = model;
    this.#isRelayed = isRelayed;
  }

  sayFrame(): void {
    const number = this.toModel.send();
    const elapsed = Math.floor((performance.now() - this.#beganAt) / frameMs);
    const timestamp = (this.isPaced ? elapsed : number) * frameMs;
    this.#carrier.send(
      `{"event":"media","sequenceNumber":"${number + 2}","streamSid":"${this.#streamId}","media":{"track":"inbound","chunk":"${number + 1}","timestamp":"${timestamp}","payload":"${frame(this.#number, number)}"}}`,
    );
  }

  answerFrame(): void {
    const number = this.toCarrier.send();
    const { id, itemId } = this.#response ?? { id: 'none', itemId: 'none' };
    this.#model?.send(
      `{"type":"response.output_audio.delta","event_id":"event_${String(number).padStart(20, '0')}","response_id":"${id}","item_id":"${itemId}","output_index":0,"content_index":0,"delta":"${frame(this.#number, number)}"}`,
    );
  }

  /** The model hears something, which is no words: the agent stops, and goes on. */
  async cough(): Promise<void> {
    const itemId = this.#beginToSpeak();
    await pause(coughMs);
    if (!this.#isRelayed) this.#stopSpeaking(itemId, '');
  }

  /** The caller interrupts the agent with words, which it answers. */
  interrupt(): void {
    this.#stopSpeaking(this.#beginToSpeak(), `Now number ${this.#count}`);
  }

  close(): void {
    this.#carrier.close(1_000);
  }

  #beginToSpeak(): string {
    this.#count += 1;
    const itemId = `heard_${this.#number}_${this.#count}`;
    this.#spokeAt = performance.now();
    this.#tell({ type: 'input_audio_buffer.speech_started', audio_start_ms: 0, item_id: itemId });
    return itemId;
  }

  #stopSpeaking(itemId: string, transcript: string): void {
    this.#tell({ type: 'input_audio_buffer.speech_stopped', audio_end_ms: coughMs, item_id: itemId });
    this.#tell({ type: 'input_audio_buffer.committed', item_id: itemId, previous_item_id: null });
    this.#tell({
      type: 'conversation.item.input_audio_transcription.completed',
      item_id: itemId,
      content_index: 0,
      transcript,
      usage: { type: 'duration', seconds: 1 },
    });
  }

  #tell(event: object): void {
    this.#model?.send(JSON.stringify(event));
  }

  #atCarrier(message: string): void {
    const sound = readFrame(message);
    if (sound !== undefined) this.#observer.waited(this.toCarrier.arrive(sound.number));
    else if (message.includes('"clear"') || message.includes('speech_started')) this.#cleared();
    else if (message.includes('"mark"')) {
      const { mark } = JSON.parse(message);
      const echo = JSON.stringify({ event: 'mark', streamSid: this.#streamId, mark });
      if (this.markMs === 0) this.#carrier.send(echo);
      else setTimeout(() => this.#carrier.send(echo), this.markMs);
    }
  }

  #cleared(): void {
    if (this.#spokeAt === undefined) return;
    this.#observer.cleared(performance.now() - this.#spokeAt);
    this.#spokeAt = undefined;
  }

  heard(number: number): void {
    this.#observer.waited(this.toModel.arrive(number));
  }

  /** What the bridge asks the model for. */
  asked({ type, response }: { type: string; response?: { metadata?: unknown } }): void {
    if (type === 'response.create') this.#respond(response?.metadata ?? null);
    if (type === 'response.cancel') this.#endResponse();
  }

  #respond(metadata: unknown): void {
    this.responses += 1;
    this.#count += 1;
    const id = `resp_${this.#number}_${this.#count}`;
    const itemId = `item_${this.#number}_${this.#count}`;
    const item = { id: itemId, type: 'message', role: 'assistant', status: 'in_progress', content: [] };
    this.#response = { id, itemId, metadata };
    this.#tell({ type: 'response.created', response: { id, status: 'in_progress', metadata, output: [] } });
    this.#tell({ type: 'response.output_item.added', response_id: id, output_index: 0, item });
    const place = { response_id: id, item_id: itemId, output_index: 0, content_index: 0 };
    this.#tell({ type: 'response.output_audio_transcript.delta', ...place, delta: words });
  }

  #endResponse(): void {
    if (this.#response === undefined) return;
    const { id, metadata } = this.#response;
    this.#response = undefined;
    this.#tell({ type: 'response.done', response: { id, status: 'cancelled', metadata, output: [], usage } });
  }
}
