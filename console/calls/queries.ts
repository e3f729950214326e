import { queryOptions } from '@tanstack/react-query';
import { answer, api, type Schemas } from '../kit/api.js';
import type { PageQuery } from '../kit/paged-rows.js';
import { type CallsSearch, liveStatuses } from './search.js';

export type Call = Schemas['PhoneCallResponse'];
export const isLive = ({ status }: Call): boolean => liveStatuses.some((one) => one === status);

/** How many calls a request lists. */
export const pageSize = 50;

/** When a day begins, or one after it, as the API takes times. */
function dayBegins(day: string, later = 0): string {
  const begin = new Date(`${day}T00:00`);
  begin.setDate(begin.getDate() + later);
  return begin.toISOString();
}

/** A page of the list, from 1, with the newest call first. */
export function callsPage(
  uuid: string,
  { status, direction, member, from, until }: CallsSearch,
  page: number,
): PageQuery<Call> {
  const query = {
    page,
    pageSize,
    status: status && [status],
    inbound: direction && direction === 'in',
    memberId: member,
    createdFrom: from && dayBegins(from),
    createdBefore: until && dayBegins(until, 1),
  };
  return {
    queryKey: [uuid, 'calls', 'page', query],
    queryFn: ({ signal }) =>
      answer(
        api.GET('/w/{workspace_uuid}/phone-calls', {
          params: { path: { workspace_uuid: uuid }, query },
          signal,
        }),
      ),
  };
}

/** The calls that go on. */
export function liveCalls(uuid: string) {
  const query = { pageSize: 100, status: [...liveStatuses] };
  return queryOptions({
    queryKey: [uuid, 'calls', 'live'],
    queryFn: ({ signal }) =>
      answer(
        api.GET('/w/{workspace_uuid}/phone-calls', {
          params: { path: { workspace_uuid: uuid }, query },
          signal,
        }),
      ),
  });
}

export function oneCall(uuid: string, id: number) {
  const path = { workspace_uuid: uuid, phone_call_id: id };
  return queryOptions({
    queryKey: [uuid, 'calls', 'one', id],
    queryFn: ({ signal }) =>
      answer(api.GET('/w/{workspace_uuid}/phone-calls/{phone_call_id}', { params: { path }, signal })),
  });
}

/** What happened in a call beside what was said. */
export function marksOf(uuid: string, id: number) {
  const path = { workspace_uuid: uuid, phone_call_id: id };
  return queryOptions({
    queryKey: [uuid, 'calls', 'one', id, 'marks'],
    queryFn: ({ signal }) =>
      answer(api.GET('/w/{workspace_uuid}/phone-calls/{phone_call_id}/marks', { params: { path }, signal })),
  });
}

/** To whom a call can be transferred now. */
export function targetsOf(uuid: string, id: number) {
  const path = { workspace_uuid: uuid, phone_call_id: id };
  return queryOptions({
    queryKey: [uuid, 'calls', 'one', id, 'targets'],
    queryFn: ({ signal }) =>
      answer(
        api.GET('/w/{workspace_uuid}/phone-calls/{phone_call_id}/transfer-targets', {
          params: { path },
          signal,
        }),
      ),
  });
}
