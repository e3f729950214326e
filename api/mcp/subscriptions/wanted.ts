import type { Topic } from '../../../domain/conversations/chat-events/resolve-subscriptions.js';
import { resourceAt, type ServedResource } from '../read-resource.js';

/** The most addresses of one stream. */
export const maxSubscribed = 20;

export interface ListenMessage {
  id: unknown;
  method: 'subscriptions/listen';
  params: {
    _meta?: unknown;
    notifications: { resourceSubscriptions?: string[]; taskIds?: unknown } & Record<string, unknown>;
  };
}

export interface WantedThing {
  uri: string;
  thing: Topic;
  served: ServedResource;
}

/** Whether a message opens a stream, in the form that the protocol has; the library refuses other forms. */
export function isListen(message: object): message is ListenMessage {
  const { method, params } = message as { method?: unknown; params?: { notifications?: unknown } | null };
  const notifications = params?.notifications;
  if (method !== 'subscriptions/listen' || typeof notifications !== 'object' || notifications === null)
    return false;
  const { resourceSubscriptions: uris = [] } = notifications as { resourceSubscriptions?: unknown };
  return Array.isArray(uris) && uris.every((uri) => typeof uri === 'string');
}

/** The addresses of a message whose changes can be told, as many as one stream may have. */
export function wantedThings(
  resources: readonly ServedResource[],
  { params }: ListenMessage,
): Map<string, WantedThing> {
  const wanted = new Map<string, WantedThing>();
  for (const uri of params.notifications.resourceSubscriptions ?? []) {
    if (wanted.size === maxSubscribed) break;
    const found = resourceAt(resources, uri);
    const kind = found?.served.resource.changesWith;
    const id = Number(Object.values(found?.params ?? {})[0]);
    if (found === undefined || kind === undefined || !Number.isSafeInteger(id)) continue;
    wanted.set(uri, { uri, thing: { kind, id }, served: found.served });
  }
  return wanted;
}

/** The same message with only these addresses. */
export function narrowed(message: ListenMessage, uris: readonly string[]): object {
  const { resourceSubscriptions: _, ...others } = message.params.notifications;
  const notifications = { ...others, ...(uris.length > 0 && { resourceSubscriptions: uris }) };
  return { ...message, params: { ...message.params, notifications } };
}
