import { setTimeout as delay } from 'node:timers/promises';
import type { JsonObject } from '../../support/read-json.js';
import { bytesPerMs, speak } from '../../support/spoken.js';
import { type Answer, type CompletionRequest, say } from '../protocol.js';
import { argumentsText, type ScriptedReply } from '../script.js';
import { answer } from '../walk/answer.js';
import { quotedSentence } from '../walk/speak.js';
import { type Conversation, type Item, shownItem } from './conversation.js';
import type { RealtimeKnobs } from './knobs.js';
import { Refused, type SessionSettings } from './session-settings.js';

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

/** The session that the responses belong to. */
export interface RespondingSession {
  readonly model: string;
  readonly conversation: Conversation;
  readonly settings: SessionSettings;
  /** The sound of each item. */
  readonly sounds: Map<string, Buffer>;
  readonly heardMs: number;
  send(type: string, event: JsonObject): void;
  drop(): void;
}

/** The responses of a session, of which one is active at a time. */
export class Responses {
  readonly #session: RespondingSession;
  readonly #world: RealtimeWorld;
  #active: ActiveResponse | undefined;
  #hasSpoken = false;
  #count = 0;

  constructor(session: RespondingSession, world: RealtimeWorld) {
    this.#session = session;
    this.#world = world;
  }

  get isActive(): boolean {
    return this.#active !== undefined;
  }

  get hasSpoken(): boolean {
    return this.#hasSpoken;
  }

  abort(): void {
    this.#active?.cancel.abort();
  }

  cancel(id: unknown): void {
    if (this.#active === undefined || (id !== undefined && id !== this.#active.id)) {
      throw new Refused('response_cancel_not_active', 'Cancellation failed: no active response found.');
    }
    this.stop('client_cancelled');
  }

  respond(options: JsonObject): void {
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
    this.#session.send('response.created', { response: this.#shownResponse(response, 'in_progress') });
    void this.#make(response, options).catch(() => this.#session.drop());
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
    if (reply?.error === 'drop') return this.#session.drop();
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
    const instructions = typeof own === 'string' ? own : this.#session.settings.instructions;
    return {
      model: this.#session.model,
      messages: this.#session.conversation.messages(instructions),
      tools: options.tool_choice === 'none' ? [] : this.#session.settings.tools,
      stream: false,
      includeUsage: true,
    };
  }

  async #speakItem(response: ActiveResponse, text: string, dropsMidway: boolean): Promise<void> {
    const { signal } = response.cancel;
    const { deltaMs, deltaEveryMs } = this.#world.knobs.values;
    const item: Item = {
      id: this.#session.conversation.nextId(),
      type: 'message',
      role: 'assistant',
      text: '',
      soundMs: 0,
    };
    const place = { response_id: response.id, item_id: item.id, output_index: response.output.length };
    const spot = { ...place, content_index: 0 };
    this.#begin(response, item);
    this.#session.send('response.content_part.added', { ...spot, part: { type: 'audio', transcript: '' } });
    const sound = speak(text);
    let told = 0;
    for (let from = 0; from < sound.length; from += deltaMs * bytesPerMs) {
      const piece = sound.subarray(from, from + deltaMs * bytesPerMs);
      const until = Math.min(text.length, Math.ceil(((from + piece.length) / sound.length) * text.length));
      const words = text.slice(told, until);
      told = until;
      item.text += words;
      item.soundMs = (from + piece.length) / bytesPerMs;
      this.#session.sounds.set(item.id, sound.subarray(0, from + piece.length));
      if (words !== '')
        this.#session.send('response.output_audio_transcript.delta', { ...spot, delta: words });
      this.#session.send('response.output_audio.delta', { ...spot, delta: piece.toString('base64') });
      this.#hasSpoken = true;
      if (dropsMidway && from * 2 >= sound.length) return this.#session.drop();
      await delay(deltaEveryMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
    }
    this.#session.send('response.output_audio.done', spot);
    this.#session.send('response.output_audio_transcript.done', { ...spot, transcript: text });
    this.#session.send('response.content_part.done', { ...spot, part: { type: 'audio', transcript: text } });
    this.#finish(response, item);
  }

  #callItem(response: ActiveResponse, call: Answer['toolCalls'][number]): void {
    this.#count += 1;
    const callId = `call_${this.#count}_${Math.random().toString(36).slice(2, 10)}`;
    const item: Item = { id: this.#session.conversation.nextId(), type: 'function_call', callId, ...call };
    const place = { response_id: response.id, item_id: item.id, output_index: response.output.length };
    this.#begin(response, item);
    this.#session.send('response.function_call_arguments.delta', {
      ...place,
      call_id: callId,
      delta: call.arguments,
    });
    this.#session.send('response.function_call_arguments.done', {
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
    const before = this.#session.conversation.lastId;
    this.#session.send('response.output_item.added', {
      response_id: response.id,
      output_index: response.output.length,
      item: shown,
    });
    this.#session.conversation.add(item);
    this.#session.send('conversation.item.added', { item: shown, previous_item_id: before });
  }

  #finish(response: ActiveResponse, item: Item): void {
    response.making = undefined;
    this.#session.send('response.output_item.done', {
      response_id: response.id,
      output_index: response.output.length,
      item: shownItem(item),
    });
    this.#session.send('conversation.item.done', { item: shownItem(item), previous_item_id: null });
    response.output.push(item);
  }

  stop(reason: 'turn_detected' | 'client_cancelled'): void {
    const response = this.#active;
    if (response === undefined) return;
    response.cancel.abort();
    this.#end(response, 'cancelled', { type: 'cancelled', reason });
  }

  #end(response: ActiveResponse, status: string, details: JsonObject): void {
    if (this.#active !== response) return;
    this.#active = undefined;
    const shown = this.#shownResponse(response, status);
    this.#session.send('response.done', {
      response: { ...shown, status_details: details, usage: this.#usage(response) },
    });
    this.#session.send('rate_limits.updated', { rate_limits: [] });
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
    const audioIn = Math.ceil(this.#session.heardMs / 100);
    const textIn = Math.ceil(
      JSON.stringify(this.#session.conversation.messages(this.#session.settings.instructions)).length / 4,
    );
    return {
      total_tokens: audioIn + textIn + audioOut + textOut,
      input_tokens: audioIn + textIn,
      output_tokens: audioOut + textOut,
      input_token_details: { text_tokens: textIn, audio_tokens: audioIn, cached_tokens: 0 },
      output_token_details: { text_tokens: textOut, audio_tokens: audioOut },
    };
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
