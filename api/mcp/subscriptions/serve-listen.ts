import {
  createMcpHandler,
  InMemoryServerEventBus,
  type McpHandlerRequestOptions,
  type McpServerFactory,
  type ProtocolError,
} from '@modelcontextprotocol/server';
import { ChatStream } from '../../../domain/conversations/chat-events/chat-stream.js';
import type { LiveChats } from '../../../domain/conversations/chat-events/live-chats.js';
import {
  resolveSubscriptions,
  type Subscription,
} from '../../../domain/conversations/chat-events/resolve-subscriptions.js';
import { admissionTerms } from '../../../domain/kernel/admissions.js';
import { Admission } from '../../../domain/lib/admission.js';
import { DomainError } from '../../../domain/lib/errors.js';
import type { Server } from '../../http/pipeline/endpoint.js';
import type { EventSink, EventStream } from '../../http/streams/event-stream.js';
import { serveEvents, type UntypedEvent } from '../../http/streams/serve-events.js';
import type { ServedResource } from '../read-resource.js';
import { knowsTasks, lacksTasks } from '../tasks/extension.js';
import type { Visit } from '../visit.js';
import { answerWeb, toWebRequest } from '../web-request.js';
import { Notices } from './notices.js';
import { type ListenMessage, narrowed, type WantedThing, wantedThings } from './wanted.js';

export interface ListenParts {
  server: Server;
  resources: readonly ServedResource[];
  /** The public address of the endpoint. */
  resource: string;
  factory: McpServerFactory;
  /** Authenticates the client of a visit again. */
  authenticate(visit: Visit): Promise<Visit['context']>;
}

/**
 * Serves streams of notices that chats and assignments have changed (`subscriptions/listen`). The library speaks the
 * protocol; which addresses it hears of is decided here, by what the client may read at the beginning and again and again.
 */
export class Listening {
  readonly #parts: ListenParts;
  readonly #listeners = new Admission(admissionTerms.listeners);

  constructor(parts: ListenParts) {
    this.#parts = parts;
  }

  /** @throws Unavailable where too many streams are open */
  async serve(visit: Visit, message: ListenMessage, options: McpHandlerRequestOptions): Promise<void> {
    const { server, resources, resource, factory } = this.#parts;
    const { ctx, context } = visit;
    const { _meta, notifications } = message.params;
    if (notifications.taskIds !== undefined && !knowsTasks(_meta))
      return refuse(visit, message, lacksTasks());
    const wanted = wantedThings(resources, message);
    const followed = await this.#followed(context, wanted);
    const leave = followed.length === 0 ? () => {} : this.#admit(visit, followed);
    const bus = new InMemoryServerEventBus();
    const handler = createMcpHandler(factory, { bus, keepAliveMs: 0 });
    const parsedBody = narrowed(
      message,
      followed.map(({ uri }) => uri),
    );
    const response = await handler
      .fetch(toWebRequest(ctx, resource), { ...options, parsedBody })
      .catch((error) => {
        leave();
        throw error;
      });
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
    if (!isStream || response.body === null) {
      leave();
      return answerWeb(ctx, response);
    }
    const told = new Notices((uri) => bus.publish({ kind: 'resource_updated', uri }));
    const stream = new ListenStream(server.services.live, context.actor.workspaceId, followed, {
      told,
      frames: response.body,
      finish: () => void handler.close(),
      leave,
      look: (now) => this.#followed(now, wanted),
    });
    serveEvents(ctx, {
      stream,
      encode: ({ data }) => data as string,
      timing: server.eventStreams,
      // Lost access is told to the stream, which ends as the protocol has it.
      authenticate: () => this.#parts.authenticate(visit).catch(refusalOf),
      onMismatch: () => {},
    });
  }

  async #followed(
    context: Visit['context'],
    wanted: ReadonlyMap<string, WantedThing>,
  ): Promise<FollowedAddress[]> {
    if (wanted.size === 0) return [];
    const uris = new Map([...wanted.values()].map(({ uri, thing }) => [thing, uri]));
    const found = await resolveSubscriptions(context, [...uris.keys()]);
    return found.map((one) => ({ ...one, uri: uris.get(one.thing) as string }));
  }

  #admit({ context }: Visit, followed: readonly FollowedAddress[]): () => void {
    const { live } = this.#parts.server.services;
    const { workspaceId, memberId, credential } = context.actor;
    const leaving: (() => void)[] = [];
    const leave = () => {
      for (const one of leaving) one();
    };
    try {
      leaving.push(
        this.#listeners.admit({ workspace: workspaceId, member: memberId, credential: credential.id }),
      );
      for (const chatId of chatsOf(followed)) leaving.push(live.admit(memberId, chatId));
    } catch (error) {
      leave();
      throw error;
    }
    return leave;
  }
}

function refuse(
  { ctx }: Visit,
  { id }: ListenMessage,
  { code, message, data }: Pick<ProtocolError, 'code' | 'message' | 'data'>,
): void {
  ctx.status = 400;
  ctx.body = { jsonrpc: '2.0', id, error: { code, message, data } };
}

type FollowedAddress = Subscription & { uri: string };

function chatsOf(followed: readonly FollowedAddress[]): Set<number> {
  return new Set(followed.map(({ chatId }) => chatId));
}

/** An error that says that the client has no access any more. @throws other errors, which say nothing about it */
function refusalOf(error: unknown): undefined {
  if (error instanceof DomainError && error.kind !== 'unavailable') return undefined;
  throw error;
}

interface StreamParts {
  told: Notices;
  /** What the library writes, a message at a time. */
  frames: ReadableStream<Uint8Array>;
  /** Ends the stream as the protocol has it: with the result of the request. */
  finish(): void;
  leave(): void;
  look(context: Visit['context']): Promise<FollowedAddress[]>;
}

/** One open stream: it follows chats, and tells which addresses have changed. */
class ListenStream implements EventStream<UntypedEvent, unknown> {
  readonly #parts: StreamParts;
  readonly #streams: ((sink: EventSink<UntypedEvent>) => ChatStream)[];
  #started: ChatStream[] = [];
  #followed: readonly FollowedAddress[];

  constructor(
    live: LiveChats,
    workspaceId: number,
    followed: readonly FollowedAddress[],
    parts: StreamParts,
  ) {
    this.#parts = parts;
    this.#followed = followed;
    this.#streams = [...chatsOf(followed)].map((chatId) => {
      const revision = Math.min(
        ...followed.filter((one) => one.chatId === chatId).map((one) => one.revision),
      );
      return (sink) =>
        new ChatStream(live.hub, { workspaceId, chatId }, revision, {
          change: (change) => {
            const changed = this.#followed.filter((one) => one.chatId === chatId && one.isChangedBy(change));
            for (const { uri } of changed) parts.told.changed(uri);
          },
          signal: () => {},
          whenReady: () => sink.whenReady(),
          end: () => parts.finish(),
        });
    });
  }

  start(sink: EventSink<UntypedEvent>): void {
    this.#pass(sink).catch(() => sink.end());
    this.#started = this.#streams.map((open) => open(sink));
    for (const stream of this.#started) stream.start();
  }

  stop(): void {
    for (const stream of this.#started) stream.stop();
    this.#parts.told.stop();
    this.#parts.leave();
    this.#parts.finish();
  }

  /** @param context undefined if the client has no access any more */
  async check(context: unknown): Promise<void> {
    const now = context === undefined ? [] : await this.#parts.look(context as Visit['context']);
    if (now.length < this.#followed.length) this.#parts.finish();
    else this.#followed = now;
  }

  /** Passes on what the library writes, until it ends. */
  async #pass(sink: EventSink<UntypedEvent>): Promise<void> {
    const decoder = new TextDecoder();
    for await (const frame of this.#parts.frames) {
      sink.send({ event: 'message', data: decoder.decode(frame, { stream: true }) });
    }
    sink.end();
  }
}
