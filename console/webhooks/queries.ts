import { type QueryKey, queryOptions } from '@tanstack/react-query';
import { answer, api, type Schemas } from '../kit/api.js';
import type { PageQuery } from '../kit/paged-rows.js';
import { registryQuery } from '../kit/registry.js';
import type { DeliveriesSearch, EventsSearch, RulesSearch } from './search.js';

export type Rule = Schemas['EventRuleResponse'];
export type Delivery = Schemas['WebhookDeliveryResponse'];
export type StoredEvent = Schemas['StoredEventResponse'];

export const pageSize = 50;

/** What an act on a rule or a delivery may change: keys of queries, after that of the workspace. */
export const rulesChanged: readonly QueryKey[] = [['event-rules']];

/** No stream tells of deliveries: what may go on is asked for again. */
const quietMs = 15_000;
const busyMs = 1_500;

/** The types of events, with what they mean and an example of each. */
export function eventTypes() {
  return queryOptions({ ...registryQuery, select: ({ eventTypes }) => eventTypes });
}

export function rulesPage(uuid: string, search: RulesSearch, page: number): PageQuery<Rule> {
  const query = { ...search, page, pageSize, sortBy: 'name', sortOrder: 'asc' } as const;
  return {
    queryKey: [uuid, 'event-rules', 'page', { ...search, page }],
    refetchInterval: quietMs,
    queryFn: ({ signal }) =>
      answer(
        api.GET('/w/{workspace_uuid}/event-rules', {
          params: { path: { workspace_uuid: uuid }, query },
          signal,
        }),
      ),
  };
}

const ofRule = (uuid: string, ruleId: number) => ({ workspace_uuid: uuid, event_rule_id: ruleId });

export function ruleQuery(uuid: string, ruleId: number) {
  return queryOptions({
    queryKey: [uuid, 'event-rules', ruleId],
    refetchInterval: quietMs,
    queryFn: ({ signal }) =>
      answer(
        api.GET('/w/{workspace_uuid}/event-rules/{event_rule_id}', {
          params: { path: ofRule(uuid, ruleId) },
          signal,
        }),
      ),
  });
}

export function deliveriesPage(
  uuid: string,
  ruleId: number,
  { status, trigger }: DeliveriesSearch,
  page: number,
): PageQuery<Delivery> {
  const query = { status, trigger, page, pageSize };
  return {
    queryKey: [uuid, 'event-rules', ruleId, 'deliveries', 'page', query],
    refetchInterval: quietMs,
    queryFn: ({ signal }) =>
      answer(
        api.GET('/w/{workspace_uuid}/event-rules/{event_rule_id}/deliveries', {
          params: { path: ofRule(uuid, ruleId), query },
          signal,
        }),
      ),
  };
}

/** Why deliveries failed, of which the newest are counted. */
export function causesQuery(uuid: string, ruleId: number) {
  return queryOptions({
    queryKey: [uuid, 'event-rules', ruleId, 'causes'],
    refetchInterval: quietMs,
    queryFn: ({ signal }) =>
      answer(
        api.GET('/w/{workspace_uuid}/event-rules/{event_rule_id}/deliveries/stats/failures', {
          params: { path: ofRule(uuid, ruleId) },
          signal,
        }),
      ),
  });
}

/** A delivery with its attempts, which are read again while more may follow soon. */
export function deliveryQuery(uuid: string, ruleId: number, deliveryId: number) {
  const path = { ...ofRule(uuid, ruleId), delivery_id: deliveryId };
  return queryOptions({
    queryKey: [uuid, 'event-rules', ruleId, 'deliveries', deliveryId],
    queryFn: async ({ signal }) => {
      const [delivery, attempts] = await Promise.all([
        answer(
          api.GET('/w/{workspace_uuid}/event-rules/{event_rule_id}/deliveries/{delivery_id}', {
            params: { path },
            signal,
          }),
        ),
        answer(
          api.GET('/w/{workspace_uuid}/event-rules/{event_rule_id}/deliveries/{delivery_id}/attempts', {
            params: { path, query: { pageSize: 100, sortOrder: 'desc' } },
            signal,
          }),
        ),
      ]);
      return { delivery, attempts: attempts.items };
    },
    refetchInterval: ({ state }) => (state.data?.delivery.status === 'pending' ? busyMs : false),
  });
}

/** A row of the events: they are known by uuids, and rows of a grid by numbers. */
export type EventItem = Omit<StoredEvent, 'id'> & { id: number; uuid: string };

export function eventsPage(uuid: string, { eventType }: EventsSearch, page: number): PageQuery<EventItem> {
  const query = { eventType, page, pageSize };
  return {
    queryKey: [uuid, 'events', 'page', query],
    refetchInterval: quietMs,
    queryFn: async ({ signal }) => {
      const found = await answer(
        api.GET('/w/{workspace_uuid}/events', {
          params: { path: { workspace_uuid: uuid }, query },
          signal,
        }),
      );
      const items = found.items.map((event, at) => ({ ...event, uuid: event.id, id: page * pageSize + at }));
      return { ...found, items };
    },
  };
}

export function eventQuery(uuid: string, eventId: string) {
  const path = { workspace_uuid: uuid, event_id: eventId };
  return queryOptions({
    queryKey: [uuid, 'events', eventId],
    queryFn: ({ signal }) =>
      answer(api.GET('/w/{workspace_uuid}/events/{event_id}', { params: { path }, signal })),
  });
}
