import { setTimeout as delay } from 'node:timers/promises';
import type { WebSocket } from 'ws';
import { isObject, type JsonObject } from '../../support/read-json.js';
import { bytesPerMs, speak, understand } from '../../support/spoken.js';
import { type Answer, type CompletionRequest, say } from '../protocol.js';
import { argumentsText, type ScriptedReply } from '../script.js';
import { answer } from '../walk/answer.js';
import { quotedSentence } from '../walk/speak.js';
import { Conversation, type Item, shownItem } from './conversation.js';
import { type Heard, Hearing } from './hearing.js';
import type { RealtimeKnobs } from './knobs.js';
import { initialSettings, Refused, type SessionSettings, updatedSettings } from './session-settings.js';

/** What the simulator shares with all sessions. */
export interface RealtimeWorld {
  knobs: RealtimeKnobs;
  takeScript(request: CompletionRequest): ScriptedReply | undefined;
  hold(signal: AbortSignal): Promise<void>;
}

interface ActiveResponse {
  id: string;
  metadata: unknown;
  cancel: AbortController;
  output: Item[];
  /** The item that is being made. */
  making: Item | undefined;
}

const mostRemembered = 2_000;

/** One session of the realtime API, as strict as the real one. */
export class RealtimeSession {
  readonly conversation = new Conversation();
  /** What the client has sent, without its sound. */
  readonly received: JsonObject[] = [];
  /** The codes of what was refused. */
  readonly refusals: string[] = [];
  readonly #socket: WebSocket;
  readonly #world: RealtimeWorld;
  readonly #model: string;
  readonly #hearing = new Hearing();
  readonly #sounds = new Map<string, Buffer>();
  #settings: SessionSettings = initialSettings;
  #active: ActiveResponse | undefined;
  #uncommitted: Buffer[] = [];
  #speaking: string | undefined;
  #swapped: (() => void) | undefined;
  #hasSpoken = false;
  #count = 0;
  appendedMs = 0;

  constructor(socket: WebSocket, model: string, world: RealtimeWorld) {
    this.#socket = socket;
    this.#model = model;
    this.#world = world;
    const expiry = setTimeout(() => this.#expire(), world.knobs.values.sessionSeconds * 1_000).unref();
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearTimeout(expiry);
      this.#active?.cancel.abort();
    });
    socket.on('message', (data) => this.#receive(data.toString()));
    this.#send('session.created', { session: this.#shown() });
  }

  get instructions(): string {
    return this.#settings.instructions;
  }

  get isResponding(): boolean {
    return this.#active !== undefined;
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
    if (event.type !== 'input_audio_buffer.append' && this.received.length < mostRemembered) {
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
        this.#settings = updatedSettings(this.#settings, event.session, this.#hasSpoken);
        this.#send('session.updated', { session: this.#shown() });
        break;
      case 'input_audio_buffer.append':
        this.#append(event.audio);
        break;
      case 'input_audio_buffer.commit':
        this.#commitByClient();
        break;
      case 'input_audio_buffer.clear':
        this.#uncommitted = [];
        this.#send('input_audio_buffer.cleared', {});
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
        this.#respond(isObject(event.response) ? event.response : {});
        break;
      case 'response.cancel':
        this.#cancel(event.response_id);
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
      this.#send('input_audio_buffer.speech_started', {
        audio_start_ms: heard.atMs,
        item_id: this.#speaking,
      });
      if (this.#settings.detection?.interruptsResponses === true) this.#stop('turn_detected');
      return;
    }
    const itemId = this.#speaking ?? this.conversation.nextId();
    this.#speaking = undefined;
    this.#send('input_audio_buffer.speech_stopped', { audio_end_ms: heard.atMs, item_id: itemId });
    this.#commit(itemId, heard.text, heard.soundMs);
    if (this.#settings.detection?.createsResponses === true && this.#active === undefined) {
      this.#respond({});
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
    this.#send('input_audio_buffer.committed', { item_id: id, previous_item_id: before });
    const item: Item = { id, type: 'message', role: 'user', text, soundMs };
    this.conversation.add(item);
    const shown = { ...shownItem(item), content: [{ type: 'input_audio', transcript: null }] };
    this.#send('conversation.item.added', { item: shown, previous_item_id: before });
    this.#send('conversation.item.done', { item: shown, previous_item_id: before });
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
        this.#send('conversation.item.input_audio_transcription.failed', { ...place, error });
        return;
      }
      this.#send('conversation.item.input_audio_transcription.delta', { ...place, delta: text });
      this.#send('conversation.item.input_audio_transcription.completed', {
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
    const item = this.#readItem(given);
    const before = this.conversation.lastId;
    this.conversation.add(item);
    this.#send('conversation.item.added', { item: shownItem(item), previous_item_id: before });
    this.#send('conversation.item.done', { item: shownItem(item), previous_item_id: before });
  }

  #readItem(given: unknown): Item {
    if (!isObject(given)) throw new Refused('missing_required_parameter', 'Missing item.', 'item');
    const id = typeof given.id === 'string' ? given.id : this.conversation.nextId();
    if (this.conversation.find(id) !== undefined) {
      throw new Refused('item_create_duplicate_id', 'The id is taken.', 'item.id');
    }
    if (given.type === 'function_call_output') {
      const { call_id: callId, output } = given;
      if (typeof output !== 'string') throw new Refused('invalid_type', 'Not a text.', 'item.output');
      if (!this.conversation.hasCall(callId)) {
        throw new Refused(
          'invalid_tool_call_id',
          `Tool call ID '${String(callId)}' not found.`,
          'item.call_id',
        );
      }
      if (this.conversation.hasOutput(callId)) {
        throw new Refused('duplicate_tool_output', 'The call has an output.', 'item.call_id');
      }
      return { id, type: given.type, callId: String(callId), output };
    }
    const { role } = given;
    if (given.type !== 'message' || (role !== 'user' && role !== 'system' && role !== 'assistant')) {
      throw new Refused('invalid_value', 'Not an item that can be created.', 'item.type');
    }
    const wanted = role === 'assistant' ? 'output_text' : 'input_text';
    const parts = Array.isArray(given.content) ? given.content.filter(isObject) : [];
    const wrong = parts.findIndex((part) => part.type !== wanted || typeof part.text !== 'string');
    if (parts.length === 0 || wrong !== -1) {
      throw new Refused('invalid_value', `Not a content of a ${role}.`, `item.content[${wrong}].type`);
    }
    return { id, type: 'message', role, text: parts.map(({ text }) => text).join(' '), soundMs: 0 };
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
    const sound = this.#sounds.get(item.id)?.subarray(0, endMs * bytesPerMs) ?? Buffer.alloc(0);
    this.#sounds.set(item.id, sound);
    item.text = understand(sound);
    item.soundMs = endMs;
    this.#send('conversation.item.truncated', { item_id: id, content_index: 0, audio_end_ms: endMs });
  }

  #delete(id: unknown): void {
    if (this.conversation.find(id) === undefined) {
      throw new Refused('item_delete_invalid_item_id', 'No such item.', 'item_id');
    }
    this.conversation.remove(String(id));
    this.#send('conversation.item.deleted', { item_id: id });
  }

  #cancel(id: unknown): void {
    if (this.#active === undefined || (id !== undefined && id !== this.#active.id)) {
      throw new Refused('response_cancel_not_active', 'Cancellation failed: no active response found.');
    }
    this.#stop('client_cancelled');
  }

  #respond(options: JsonObject): void {
    if (this.#active !== undefined) {
      const { id } = this.#active;
      const message = `Conversation already has an active response in progress: ${id}.`;
      throw new Refused('conversation_already_has_active_response', message);
    }
    this.#count += 1;
    const response: ActiveResponse = {
      id: `resp_${this.#count}_${Math.random().toString(36).slice(2, 10)}`,
      metadata: options.metadata ?? null,
      cancel: new AbortController(),
      output: [],
      making: undefined,
    };
    this.#active = response;
    this.#send('response.created', { response: this.#shownResponse(response, 'in_progress') });
    void this.#make(response, options).catch(() => this.drop());
  }

  async #make(response: ActiveResponse, options: JsonObject): Promise<void> {
    const { signal } = response.cancel;
    const { knobs } = this.#world;
    const request = this.#request(options);
    const isSilent = knobs.takes('silentResponses');
    const reply = isSilent ? undefined : this.#world.takeScript(request);
    await delay(knobs.values.thinkMs + (reply?.delayMs ?? 0), undefined, { signal }).catch(() => undefined);
    if (reply?.hold === true) await this.#world.hold(signal);
    if (signal.aborted || isSilent) return;
    if (reply?.error === 'drop') return this.drop();
    if (reply?.status !== undefined && reply.status !== 200) {
      return this.#end(response, 'failed', {
        type: 'failed',
        error: { type: 'server_error', code: reply.error ?? 'server_error' },
      });
    }
    const { content, toolCalls } = answerTo(reply, request, options);
    if (content !== null) {
      await this.#speakItem(response, content, reply?.error === 'drop_midway');
      if (signal.aborted) return;
    }
    for (const call of toolCalls) this.#callItem(response, call);
    this.#end(response, 'completed', { type: 'completed' });
  }

  /** Instructions of a response stand in the place of those of the session. */
  #request(options: JsonObject): CompletionRequest {
    const own = options.instructions;
    const instructions = typeof own === 'string' ? own : this.#settings.instructions;
    return {
      model: this.#model,
      messages: this.conversation.messages(instructions),
      tools: options.tool_choice === 'none' ? [] : this.#settings.tools,
      stream: false,
      includeUsage: true,
    };
  }

  async #speakItem(response: ActiveResponse, text: string, dropsMidway: boolean): Promise<void> {
    const { signal } = response.cancel;
    const { deltaMs, deltaEveryMs } = this.#world.knobs.values;
    const item: Item = {
      id: this.conversation.nextId(),
      type: 'message',
      role: 'assistant',
      text: '',
      soundMs: 0,
    };
    const place = { response_id: response.id, item_id: item.id, output_index: response.output.length };
    const spot = { ...place, content_index: 0 };
    this.#begin(response, item);
    this.#send('response.content_part.added', { ...spot, part: { type: 'audio', transcript: '' } });
    const sound = speak(text);
    let told = 0;
    for (let from = 0; from < sound.length; from += deltaMs * bytesPerMs) {
      const piece = sound.subarray(from, from + deltaMs * bytesPerMs);
      const until = Math.min(text.length, Math.ceil(((from + piece.length) / sound.length) * text.length));
      const words = text.slice(told, until);
      told = until;
      item.text += words;
      item.soundMs = (from + piece.length) / bytesPerMs;
      this.#sounds.set(item.id, sound.subarray(0, from + piece.length));
      if (words !== '') this.#send('response.output_audio_transcript.delta', { ...spot, delta: words });
      this.#send('response.output_audio.delta', { ...spot, delta: piece.toString('base64') });
      this.#hasSpoken = true;
      if (dropsMidway && from * 2 >= sound.length) return this.drop();
      await delay(deltaEveryMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
    }
    this.#send('response.output_audio.done', spot);
    this.#send('response.output_audio_transcript.done', { ...spot, transcript: text });
    this.#send('response.content_part.done', { ...spot, part: { type: 'audio', transcript: text } });
    this.#finish(response, item);
  }

  #callItem(response: ActiveResponse, call: Answer['toolCalls'][number]): void {
    this.#count += 1;
    const callId = `call_${this.#count}_${Math.random().toString(36).slice(2, 10)}`;
    const item: Item = { id: this.conversation.nextId(), type: 'function_call', callId, ...call };
    const place = { response_id: response.id, item_id: item.id, output_index: response.output.length };
    this.#begin(response, item);
    this.#send('response.function_call_arguments.delta', {
      ...place,
      call_id: callId,
      delta: call.arguments,
    });
    this.#send('response.function_call_arguments.done', {
      ...place,
      call_id: callId,
      name: call.name,
      arguments: call.arguments,
    });
    this.#finish(response, item);
  }

  #begin(response: ActiveResponse, item: Item): void {
    response.making = item;
    const shown = shownItem(item, 'in_progress');
    const before = this.conversation.lastId;
    this.#send('response.output_item.added', {
      response_id: response.id,
      output_index: response.output.length,
      item: shown,
    });
    this.conversation.add(item);
    this.#send('conversation.item.added', { item: shown, previous_item_id: before });
  }

  #finish(response: ActiveResponse, item: Item): void {
    response.making = undefined;
    this.#send('response.output_item.done', {
      response_id: response.id,
      output_index: response.output.length,
      item: shownItem(item),
    });
    this.#send('conversation.item.done', { item: shownItem(item), previous_item_id: null });
    response.output.push(item);
  }

  #stop(reason: 'turn_detected' | 'client_cancelled'): void {
    const response = this.#active;
    if (response === undefined) return;
    response.cancel.abort();
    this.#end(response, 'cancelled', { type: 'cancelled', reason });
  }

  #end(response: ActiveResponse, status: string, details: JsonObject): void {
    if (this.#active !== response) return;
    this.#active = undefined;
    const shown = this.#shownResponse(response, status);
    this.#send('response.done', {
      response: { ...shown, status_details: details, usage: this.#usage(response) },
    });
    this.#send('rate_limits.updated', { rate_limits: [] });
  }

  #shownResponse({ id, metadata, output, making }: ActiveResponse, status: string) {
    const shown = output.map((item) => shownItem(item));
    if (making !== undefined && status !== 'in_progress') shown.push(shownItem(making, 'incomplete'));
    return { id, object: 'realtime.response', status, status_details: null, metadata, output: shown };
  }

  /** A tenth of a second heard is a token, a twentieth spoken, and four characters of a text. */
  #usage({ output, making }: ActiveResponse) {
    const spoken = [...output, ...(making === undefined ? [] : [making])];
    const audioOut = spoken.reduce(
      (sum, item) => sum + (item.type === 'message' ? Math.ceil(item.soundMs / 50) : 0),
      0,
    );
    const textOut = spoken.reduce(
      (sum, item) => sum + Math.ceil((item.type === 'message' ? item.text : JSON.stringify(item)).length / 4),
      0,
    );
    const audioIn = Math.ceil(this.#hearing.heardMs / 100);
    const textIn = Math.ceil(
      JSON.stringify(this.conversation.messages(this.#settings.instructions)).length / 4,
    );
    return {
      total_tokens: audioIn + textIn + audioOut + textOut,
      input_tokens: audioIn + textIn,
      output_tokens: audioOut + textOut,
      input_token_details: { text_tokens: textIn, audio_tokens: audioIn, cached_tokens: 0 },
      output_token_details: { text_tokens: textOut, audio_tokens: audioOut },
    };
  }

  #shown() {
    const { instructions, voice } = this.#settings;
    return {
      object: 'realtime.session',
      type: 'realtime',
      model: this.#model,
      instructions,
      audio: { output: { voice } },
    };
  }

  #sendError(code: string, message: string, param: string | null, eventId: string | null): void {
    if (this.refusals.length < mostRemembered) this.refusals.push(code);
    const error = { type: 'invalid_request_error', code, message, param, event_id: eventId };
    this.#send('error', { error });
  }

  #send(type: string, event: JsonObject): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    this.#count += 1;
    this.#socket.send(JSON.stringify({ type, event_id: `event_${this.#count}`, ...event }));
  }
}

/** Own instructions of a response are said if they quote something; else the model answers as in text. */
function answerTo(reply: ScriptedReply | undefined, request: CompletionRequest, options: JsonObject): Answer {
  if (reply?.content !== undefined || reply?.toolCalls !== undefined) {
    const { content = null, toolCalls = [] } = reply;
    return {
      content,
      toolCalls: toolCalls.map(({ name, arguments: given }) => ({ name, arguments: argumentsText(given) })),
    };
  }
  const told = typeof options.instructions === 'string' ? quotedSentence(options.instructions) : undefined;
  return told === undefined ? answer(request) : say(told);
}
