import { eventTypes } from '../../domain/kernel/events/event-types.js';
import { markdownTable } from './markdown-table.js';

/** A row for each type of event that a rule can send. */
export function eventTable(): string {
  const rows = Object.entries(eventTypes).map(([type, meaning]) => [`\`${type}\``, meaning]);
  return markdownTable(['Event', 'When'], rows);
}
