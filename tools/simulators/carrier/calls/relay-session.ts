import { randomBytes } from 'node:crypto';
import { WebSocket } from 'ws';
import { sign } from '../post-webhook.js';
import { AudioTrackBuffer } from './audio-track-buffer.js';
import type { RelayRecord } from './call-store.js';
import type { JoinedSocket } from './joined-socket.js';
import type { LiveCall } from './live-call.js';
import { bytesPerMs, frameBytes, silence } from './mulaw.js';
import { readRelayCommand } from './relay-messages.js';
import { RelaySpeech } from './relay-speech.js';
import { SpeechDetector } from './speech-detector.js';

const quiet = silence(frameBytes);
const handshakeMs = 5_000;
const closeMs = 1_000;

export interface RelaySettings {
  url: string;
  parameters: Record<string, string>;
  language: string;
  interruptible: 'any' | 'dtmf' | 'speech' | 'none';
  tellsKeys: boolean;
  tellsSpeakers: boolean;
}

/** `ended`: by the service's message; `completed`: the call is over or goes elsewhere. */
export interface RelayEnd {
  status: 'ended' | 'completed' | 'failed';
  handoffData?: string | undefined;
  error?: { code: number; message: string };
}

/**
 * A session of text with the service, as the carrier speaks it (ConversationRelay): it writes down what the person says, and
 * speaks what it is sent. A message that it does not take is refused with an `error` and alert 64107; the session goes on.
 */
export class RelaySession implements JoinedSocket {
  readonly record: RelayRecord;
  readonly said = new AudioTrackBuffer();
  readonly played = new AudioTrackBuffer();
  readonly #live: LiveCall;
  readonly #settings: RelaySettings;
  readonly #speech: RelaySpeech;
  readonly #caller: SpeechDetector;
  #socket: WebSocket | undefined;
  #language: string;
  #end: RelayEnd | undefined;

  constructor(live: LiveCall, settings: RelaySettings) {
    this.#live = live;
    this.#settings = settings;
    this.#language = settings.language;
    this.record = {
      sid: `VX${randomBytes(16).toString('hex')}`,
      url: settings.url,
      parameters: settings.parameters,
      language: settings.language,
      beganMs: live.line?.ms ?? 0,
      endedMs: null,
      status: null,
      handoffData: null,
      prompts: [],
      heard: [],
      interrupts: [],
    };
    this.#speech = new RelaySpeech({
      speaking: (isOn) => this.#reportSpeaker('agentSpeaking', isOn),
      heard: ({ text }) => this.record.heard.push(text),
    });
    this.#caller = new SpeechDetector(
      () => {
        this.#reportSpeaker('clientSpeaking', true);
        this.#interruptBy('speech');
      },
      (words) => {
        this.#reportSpeaker('clientSpeaking', false);
        if (words !== '') this.#prompt(words);
      },
    );
  }

  /** Opens the session, and resolves when it has ended. */
  async run(signal: AbortSignal, begun: () => void): Promise<RelayEnd> {
    const { url } = this.#settings;
    const { authToken } = this.#live.exchange.sender;
    const socket = new WebSocket(url, {
      headers: { 'x-twilio-signature': sign(authToken, url, {}) },
      handshakeTimeout: handshakeMs,
      perMessageDeflate: false,
    });
    this.#socket = socket;
    let [isOpen, problem] = [false, 'no connection'];
    socket.on('unexpected-response', (_, response) => {
      problem = `status ${response.statusCode}`;
      socket.terminate();
    });
    socket.on('error', () => undefined);
    socket.on('message', (data, isBinary) => this.#take(String(data), isBinary));
    socket.on('open', () => {
      isOpen = true;
      this.#setUp();
      begun();
    });
    const stop = (): void => this.#close({ status: 'completed' });
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    await new Promise((resolve) => socket.once('close', resolve));
    signal.removeEventListener('abort', stop);
    this.#end ??= isOpen
      ? failed(64_105, 'WebSocket ended: the service closed it without an end message')
      : failed(64_102, `Unable to connect to the WebSocket: ${problem}`);
    this.record.endedMs = this.#live.line?.ms ?? 0;
    this.record.status = this.#end.status;
    this.record.handoffData = this.#end.handoffData ?? null;
    return this.#end;
  }

  frame(said: Buffer): number {
    if (this.#socket?.readyState !== WebSocket.OPEN || this.#end !== undefined) return 0;
    const audio = this.#speech.play();
    this.said.add(said);
    this.played.add(audio);
    this.played.add(quiet.subarray(audio.length));
    this.#caller.add(said);
    return audio.length / bytesPerMs;
  }

  press(digit: string): void {
    if (!this.#settings.tellsKeys) return;
    this.#interruptBy('dtmf');
    this.#send({ type: 'dtmf', digit });
  }

  // Sound is no matter of the service's.
  stall(): void {}
  drop(): void {}

  break(): void {
    this.#end = failed(64_105, 'WebSocket ended: the connection broke');
    this.#socket?.terminate();
  }

  #setUp(): void {
    const { call, exchange } = this.#live;
    const isInbound = call.direction === 'inbound';
    this.#send({
      type: 'setup',
      sessionId: this.record.sid,
      accountSid: exchange.accountSid,
      parentCallSid: call.parentSid ?? '',
      callSid: call.sid,
      from: call.from,
      to: call.to,
      forwardedFrom: '',
      callType: 'PSTN',
      callerName: '',
      direction: isInbound ? 'inbound' : 'outbound-api',
      callStatus: isInbound ? 'RINGING' : 'IN-PROGRESS',
      customParameters: this.#settings.parameters,
    });
  }

  #prompt(voicePrompt: string): void {
    this.record.prompts.push(voicePrompt);
    this.#send({ type: 'prompt', voicePrompt, lang: this.#language, last: true });
  }

  #interruptBy(by: 'speech' | 'dtmf'): void {
    const { interruptible } = this.#settings;
    if (!this.#speech.isOn || (interruptible !== 'any' && interruptible !== by)) return;
    const { text, ms } = this.#speech.interrupt();
    this.record.heard.push(text);
    this.record.interrupts.push({ text, ms });
    const isText = this.#live.exchange.knobs.takes(this.#live.handset, 'durationsAsText');
    this.#send({
      type: 'interrupt',
      utteranceUntilInterrupt: text,
      durationUntilInterruptMs: isText ? String(ms) : ms,
    });
  }

  #reportSpeaker(name: 'agentSpeaking' | 'clientSpeaking', isOn: boolean): void {
    const { exchange, handset } = this.#live;
    if (!this.#settings.tellsSpeakers || exchange.knobs.of(handset).lostCallEvents.includes(name)) return;
    this.#send({ type: 'info', name, value: isOn ? 'on' : 'off', ts: Date.now() });
  }

  #take(text: string, isBinary: boolean): void {
    if (this.#end !== undefined) return;
    const command = isBinary ? undefined : readRelayCommand(text);
    if (command === undefined) {
      this.#live.warn(64_107, 'ConversationRelay: Invalid message received');
      this.#send({ type: 'error', description: `Invalid message received: ${text.slice(0, 500)}` });
    } else if (command.type === 'text') this.#speech.add(command.token, command.last === true);
    else if (command.type === 'language') this.#language = command.transcriptionLanguage ?? this.#language;
    // What was not spoken yet is not spoken any more.
    else this.#close({ status: 'ended', handoffData: command.handoffData });
  }

  #send(message: object): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  #close(end: RelayEnd): void {
    this.#end ??= end;
    const socket = this.#socket;
    if (socket?.readyState !== WebSocket.OPEN) {
      socket?.terminate();
      return;
    }
    socket.close(1000);
    setTimeout(() => socket.terminate(), closeMs).unref();
  }
}

function failed(code: number, message: string): RelayEnd {
  return { status: 'failed', error: { code, message } };
}
