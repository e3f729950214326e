import {
  type EventDetails,
  type EventFilter,
  listEvents as findEvents,
} from '../../../db/events/event-lists.js';
import { mostCounted } from '../../../db/records/list-data-records.js';
import type { CommandContext } from '../../kernel/context.js';
import { InvalidInput } from '../../lib/errors.js';
import type { PageOf, PageRequest } from '../../lib/paging.js';

/** A page of events; `total` is exact up to 10,000. */
export type EventPage = PageOf<EventDetails> & { totalIsExact: boolean };

/**
 * Lists the stored events of the workspace, samples included.
 *
 * @param page must end within the first 10,000 events
 * @throws InvalidInput
 */
export async function listEvents(
  { db, actor }: CommandContext,
  filter: EventFilter,
  page: PageRequest<'createdAt'>,
): Promise<EventPage> {
  actor.require('event_rules:read');
  if (page.page * page.pageSize > mostCounted) {
    const message = `Pages end at ${mostCounted} events: ask for a part, by createdFrom and createdBefore.`;
    throw InvalidInput.field('/page', message);
  }
  return db.readInWorkspace(actor.workspaceId, (tx) => findEvents(tx, filter, page));
}
