import type { FieldError } from '../../../domain/lib/errors.js';
import { ResponseMismatch } from '../problems/problem.js';
import { compileAnswer } from '../validation/validation.js';
import type { EventSchemas } from './event-stream.js';

/** An event as a handler returns it, without its type parameters. */
export interface UntypedEvent {
  readonly event: string;
  readonly id?: number;
  readonly data: unknown;
}

/**
 * Returns a function that encodes a route's events (https://html.spec.whatwg.org/multipage/server-sent-events.html).
 * JSON has no line breaks outside of strings and escapes them inside, so the data are one line.
 *
 * @returns a function that throws ResponseMismatch on an event that does not match its declaration, if `checked`
 */
export function eventEncoder(
  operationId: string,
  events: EventSchemas,
  checked: boolean,
): (event: UntypedEvent) => string {
  const checks = new Map<string, (data: unknown) => FieldError[]>(
    Object.entries(events).map(([name, schema]) => [name, checked ? compileAnswer(schema) : () => []]),
  );
  const texts = new WeakMap<UntypedEvent, string>();

  return (event) => {
    const known = texts.get(event);
    if (known !== undefined) return known;
    const errors = checks.get(event.event)?.(event.data) ?? [
      { pointer: '/event', message: 'is not one of the declared events' },
    ];
    if (errors.length > 0) throw new ResponseMismatch(operationId, errors);
    const id = event.id === undefined ? '' : `id: ${event.id}\n`;
    const text = `${id}event: ${event.event}\ndata: ${JSON.stringify(event.data)}\n\n`;
    texts.set(event, text);
    return text;
  };
}
