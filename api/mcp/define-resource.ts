import type { Topic } from '../../domain/conversations/chat-events/resolve-subscriptions.js';
import type { Scope } from '../../domain/kernel/scopes.js';
import { defineTool, type Tool } from './define-tool.js';
import { routeOf } from './route-of.js';

interface ResourceDeclaration {
  /** Unique, in snake case. */
  name: string;
  title: string;
  /** Written for a model. */
  description: string;
  /** The address, with parameters of the route's path in braces: `wes://chats/{chat_id}/transcript`. */
  uriTemplate: `wes://${string}`;
  /** The operation that reads it. */
  operationId: string;
  /** Fields of the answer that are left out. */
  dropped?: readonly string[];
  /** Values of the route's query. */
  defaults?: Readonly<Record<string, unknown>>;
  /** Scopes that reading needs besides those of the route. */
  scopes?: readonly Scope[];
  /** What it is of, if clients can be told of its changes: the address then has one parameter, the id of that. */
  changesWith?: Topic['kind'];
}

/** Something of the workspace that an AI client reads by its address: a view of a route, as a tool is. */
export interface McpResource {
  readonly uriTemplate: string;
  readonly view: Tool;
  readonly changesWith: Topic['kind'] | undefined;
  /** The parameters of an address; undefined if it is not one of this resource. */
  match(uri: string): Record<string, string> | undefined;
}

/** Declares a resource. @throws when the catalog is loaded, where it does not fit its route */
export function defineResource({
  uriTemplate,
  operationId,
  changesWith,
  ...declared
}: ResourceDeclaration): McpResource {
  const names = [...uriTemplate.matchAll(/\{(\w+)\}/g)].map((found) => found[1] as string);
  const form = new RegExp(`^${uriTemplate.replace(/\{\w+\}/g, '(\\d{1,19})')}$`);
  return {
    uriTemplate,
    changesWith,
    view: defineTool({ ...declared, route: routeOf(operationId), untrusted: true }),
    match(uri) {
      const values = form.exec(uri)?.slice(1);
      return values && Object.fromEntries(names.map((name, at) => [name, values[at] as string]));
    },
  };
}
