import { setTimeout as delay } from 'node:timers/promises';
import type { WebSocket } from 'ws';
import { isObject, type JsonObject } from '../../support/read-json.js';
import { bytesPerMs, understand } from '../../support/spoken.js';
import { Conversation, type Item, shownItem } from './conversation.js';
import { type Heard, Hearing } from './hearing.js';
import { readItem } from './read-item.js';
import { type RealtimeWorld, type RespondingSession, Responses } from './responses.js';
import { initialSettings, Refused, type SessionSettings, updatedSettings } from './session-settings.js';

const maxRemembered = 2_000;

/** One session of the realtime API, as strict as the real one. */
export class RealtimeSession implements RespondingSession {
  readonly model: string;
  readonly conversation = new Conversation();
  /** The sound of each item of the model. */
  readonly sounds = new Map<string, Buffer>();
  /** What the client has sent, without its sound. */
  readonly received: JsonObject[] = [];
  /** The codes of what was refused. */
  readonly refusals: string[] = [];
  readonly #socket: WebSocket;
  readonly #world: RealtimeWorld;
  readonly #hearing = new Hearing();
  readonly #responses: Responses;
  #settings: SessionSettings = initialSettings;
  #uncommitted: Buffer[] = [];
  #speaking: string | undefined;
  #swapped: (() => void) | undefined;
  #count = 0;
  appendedMs = 0;

  constructor(socket: WebSocket, model: string, world: RealtimeWorld) {
    this.#socket = socket;
    this.model = model;
    this.#world = world;
    this.#responses = new Responses(this, world);
    const expiry = setTimeout(() => this.#expire(), world.knobs.values.sessionSeconds * 1_000).unref();
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearTimeout(expiry);
      this.#responses.abort();
    });
    socket.on('message', (data) => this.#receive(data.toString()));
    this.send('session.created', { session: this.#shown() });
  }

  get settings(): SessionSettings {
    return this.#settings;
  }

  get instructions(): string {
    return this.#settings.instructions;
  }

  /** How much of the client's sound was heard. */
  get heardMs(): number {
    return this.#hearing.heardMs;
  }

  get isResponding(): boolean {
    return this.#responses.isActive;
  }

  drop(): void {
    this.#socket.terminate();
  }

  close(code: number, reason: string): void {
    this.#socket.close(code, reason);
  }

  #expire(): void {
    this.#sendError('session_expired', 'Your session hit the maximum duration of 60 minutes.', null, null);
    this.close(1_001, 'Your session hit the maximum duration of 60 minutes.');
  }

  #receive(text: string): void {
    let event: unknown;
    try {
      event = JSON.parse(text);
    } catch {
      event = undefined;
    }
    if (!isObject(event)) {
      this.#sendError('invalid_json', 'The event is not an object in JSON.', null, null);
      return;
    }
    const id = typeof event.event_id === 'string' ? event.event_id : null;
    if (event.type !== 'input_audio_buffer.append' && this.received.length < maxRemembered) {
      this.received.push(event);
    }
    try {
      this.#obey(event);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.#sendError(error.code, error.message, error.param, id);
    }
  }

  #obey(event: JsonObject): void {
    switch (event.type) {
      case 'session.update':
        this.#settings = updatedSettings(this.#settings, event.session, this.#responses.hasSpoken);
        this.send('session.updated', { session: this.#shown() });
        break;
      case 'input_audio_buffer.append':
        this.#append(event.audio);
        break;
      case 'input_audio_buffer.commit':
        this.#commitByClient();
        break;
      case 'input_audio_buffer.clear':
        this.#uncommitted = [];
        this.send('input_audio_buffer.cleared', {});
        break;
      case 'conversation.item.create':
        this.#create(event.item);
        break;
      case 'conversation.item.truncate':
        this.#truncate(event);
        break;
      case 'conversation.item.delete':
        this.#delete(event.item_id);
        break;
      case 'response.create':
        this.#responses.respond(isObject(event.response) ? event.response : {});
        break;
      case 'response.cancel':
        this.#responses.cancel(event.response_id);
        break;
      default:
        throw new Refused('invalid_value', `Invalid value: '${String(event.type)}'.`, 'type');
    }
  }

  #append(audio: unknown): void {
    if (typeof audio !== 'string' || !/^[A-Za-z0-9+/]*={0,2}$/.test(audio)) {
      throw new Refused('invalid_value', 'Invalid audio.', 'audio');
    }
    const sound = Buffer.from(audio, 'base64');
    this.appendedMs += sound.length / bytesPerMs;
    const { detection, isTelephone } = this.#settings;
    if (detection === null) {
      this.#uncommitted.push(sound);
      return;
    }
    // Sound of another format would be heard as noise: this one hears nothing.
    if (!isTelephone) return;
    for (const heard of this.#hearing.hear(sound, detection)) this.#tellOf(heard);
  }

  #tellOf(heard: Heard): void {
    if (heard.kind === 'started') {
      this.#speaking = this.conversation.nextId();
      this.send('input_audio_buffer.speech_started', {
        audio_start_ms: heard.atMs,
        item_id: this.#speaking,
      });
      if (this.#settings.detection?.interruptsResponses === true) this.#responses.stop('turn_detected');
      return;
    }
    const itemId = this.#speaking ?? this.conversation.nextId();
    this.#speaking = undefined;
    this.send('input_audio_buffer.speech_stopped', { audio_end_ms: heard.atMs, item_id: itemId });
    this.#commit(itemId, heard.text, heard.soundMs);
    if (this.#settings.detection?.createsResponses === true && !this.#responses.isActive) {
      this.#responses.respond({});
    }
  }

  #commitByClient(): void {
    const sound = Buffer.concat(this.#uncommitted.splice(0));
    const soundMs = sound.length / bytesPerMs;
    if (soundMs < 100) {
      throw new Refused('input_audio_buffer_commit_empty', 'Expected at least 100ms of audio.');
    }
    this.#commit(this.conversation.nextId(), understand(sound), soundMs);
  }

  #commit(id: string, text: string, soundMs: number): void {
    const before = this.conversation.lastId;
    this.send('input_audio_buffer.committed', { item_id: id, previous_item_id: before });
    const item: Item = { id, type: 'message', role: 'user', text, soundMs };
    this.conversation.add(item);
    const shown = { ...shownItem(item), content: [{ type: 'input_audio', transcript: null }] };
    this.send('conversation.item.added', { item: shown, previous_item_id: before });
    this.send('conversation.item.done', { item: shown, previous_item_id: before });
    if (this.#settings.transcribes) void this.#transcribe(id, text, soundMs);
  }

  /** A failing transcription does not keep the model from understanding. */
  async #transcribe(id: string, text: string, soundMs: number): Promise<void> {
    const { knobs } = this.#world;
    const fails = knobs.takes('transcriptsFailing');
    const waits = knobs.takes('transcriptsSwapped');
    await delay(knobs.values.transcriptMs);
    const tell = () => {
      const place = { item_id: id, content_index: 0 };
      if (fails) {
        const error = { type: 'server_error', code: 'transcription_failed', message: 'Failed.', param: null };
        this.send('conversation.item.input_audio_transcription.failed', { ...place, error });
        return;
      }
      this.send('conversation.item.input_audio_transcription.delta', { ...place, delta: text });
      this.send('conversation.item.input_audio_transcription.completed', {
        ...place,
        transcript: text,
        usage: { type: 'duration', seconds: Math.ceil(soundMs / 1_000) },
      });
    };
    if (waits) {
      this.#swapped = tell;
      return;
    }
    tell();
    this.#swapped?.();
    this.#swapped = undefined;
  }

  #create(given: unknown): void {
    const item = readItem(given, this.conversation);
    const before = this.conversation.lastId;
    this.conversation.add(item);
    this.send('conversation.item.added', { item: shownItem(item), previous_item_id: before });
    this.send('conversation.item.done', { item: shownItem(item), previous_item_id: before });
  }

  #truncate({ item_id: id, content_index: index, audio_end_ms: endMs }: JsonObject): void {
    const item = this.conversation.find(id);
    if (item === undefined || item.type !== 'message' || item.role !== 'assistant') {
      throw new Refused('item_truncate_invalid_item_id', 'No such item of the assistant.', 'item_id');
    }
    if (index !== 0 || typeof endMs !== 'number' || !Number.isInteger(endMs) || endMs <= 0) {
      throw new Refused('invalid_value', 'audio_end_ms has to be a positive integer.', 'audio_end_ms');
    }
    if (endMs > item.soundMs) {
      throw new Refused(
        'invalid_value',
        `Audio content of ${item.soundMs}ms is already shorter than ${endMs}ms`,
        'audio_end_ms',
      );
    }
    const sound = this.sounds.get(item.id)?.subarray(0, endMs * bytesPerMs) ?? Buffer.alloc(0);
    this.sounds.set(item.id, sound);
    item.text = understand(sound);
    item.soundMs = endMs;
    this.send('conversation.item.truncated', { item_id: id, content_index: 0, audio_end_ms: endMs });
  }

  #delete(id: unknown): void {
    if (this.conversation.find(id) === undefined) {
      throw new Refused('item_delete_invalid_item_id', 'No such item.', 'item_id');
    }
    this.conversation.remove(String(id));
    this.send('conversation.item.deleted', { item_id: id });
  }

  #shown() {
    const { instructions, voice } = this.#settings;
    return {
      object: 'realtime.session',
      type: 'realtime',
      model: this.model,
      instructions,
      audio: { output: { voice } },
    };
  }

  #sendError(code: string, message: string, param: string | null, eventId: string | null): void {
    if (this.refusals.length < maxRemembered) this.refusals.push(code);
    const error = { type: 'invalid_request_error', code, message, param, event_id: eventId };
    this.send('error', { error });
  }

  send(type: string, event: JsonObject): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    this.#count += 1;
    this.#socket.send(JSON.stringify({ type, event_id: `event_${this.#count}`, ...event }));
  }
}
