import { useSyncExternalStore } from 'react';
import { answer, hasNoAnswer, ProblemError, type Schemas } from '../kit/api.js';
import { newUuid } from '../kit/new-uuid.js';
import { queryClient } from '../kit/query-client.js';
import { reportSessionEnded } from '../kit/session.js';

/** Where an upload goes: to a folder or the root as a new file, or to a file as its next version. */
export type Place = { folder: number | undefined } | { file: number };

export interface Upload {
  id: string;
  uuid: string;
  place: Place;
  bytes: File;
  state: 'waiting' | 'sending' | 'stored' | 'failed';
  /** The part that is sent, from 0 to 1. */
  sent: number;
  error: Error | null;
  /** The file that it has become. */
  fileId: number | undefined;
  /** A repetition after a lost answer stores nothing twice. */
  key: string;
}

/** As many as the API takes of one member at once. */
const mostAtOnce = 2;

/** The uploads of this window go on while one looks at other pages. */
let uploads: readonly Upload[] = [];
const requests = new Map<string, XMLHttpRequest>();
const listeners = new Set<() => void>();

export function useUploads(uuid: string): readonly Upload[] {
  const all = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => uploads,
  );
  return all.filter((one) => one.uuid === uuid);
}

export const isUnderWay = ({ state }: Upload): boolean => state === 'waiting' || state === 'sending';

function set(next: readonly Upload[]): void {
  uploads = next;
  // The browser asks before it leaves the page, which ends them.
  window.onbeforeunload = next.some(isUnderWay) ? (event) => event.preventDefault() : null;
  for (const listener of listeners) listener();
}

const change = (id: string, changed: Partial<Upload>) =>
  set(uploads.map((one) => (one.id === id ? { ...one, ...changed } : one)));

export function upload(uuid: string, place: Place, files: readonly File[]): void {
  const added = files.map(
    (bytes): Upload => ({
      ...{ id: newUuid(), uuid, place, bytes, key: newUuid() },
      ...{ state: 'waiting', sent: 0, error: null, fileId: undefined },
    }),
  );
  set([...uploads, ...added]);
  sendNext();
}

export function uploadAgain(id: string): void {
  change(id, { state: 'waiting', sent: 0, error: null });
  sendNext();
}

/** Ends an upload, or removes one that has ended. */
export function removeUpload(id: string): void {
  set(uploads.filter((one) => one.id !== id));
  requests.get(id)?.abort();
  sendNext();
}

export const removeStored = (uuid: string) =>
  set(uploads.filter((one) => one.uuid !== uuid || one.state !== 'stored'));

function sendNext(): void {
  const next = uploads.find(({ state }) => state === 'waiting');
  if (next === undefined || requests.size >= mostAtOnce) return;
  change(next.id, { state: 'sending' });
  void finish(next);
  sendNext();
}

async function finish({ id, uuid, place, ...sent }: Upload): Promise<void> {
  try {
    const stored = await answer(send({ id, uuid, place, ...sent }));
    change(id, { state: 'stored', sent: 1, fileId: 'file' in place ? place.file : stored.id });
    void queryClient.invalidateQueries({ queryKey: [uuid, 'files'] });
  } catch (error) {
    if (error instanceof ProblemError && error.problem.status === 401) reportSessionEnded();
    const again = hasNoAnswer(error) ? {} : { key: newUuid() };
    change(id, { state: 'failed', error: error as Error, ...again });
  } finally {
    requests.delete(id);
    sendNext();
  }
}

interface Answered {
  data: Schemas['FileResponse'] | Schemas['FileVersionResponse'];
  error: unknown;
  response: Response;
}

/** The request is no `fetch`, which does not tell how much it has sent. */
function send({ id, uuid, place, bytes, key }: Upload) {
  const form = new FormData();
  if ('folder' in place && place.folder !== undefined) form.append('folderId', String(place.folder));
  form.append('file', bytes, bytes.name);
  const request = new XMLHttpRequest();
  requests.set(id, request);
  request.open('POST', `/api/v2/w/${uuid}/files${'file' in place ? `/${place.file}/versions` : ''}`);
  request.setRequestHeader('Idempotency-Key', key);
  request.upload.onprogress = ({ loaded, total }) => change(id, { sent: loaded / total });
  return new Promise<Answered>((resolve, reject) => {
    request.onload = () => {
      const { status, responseText } = request;
      const requestId = request.getResponseHeader('x-request-id');
      const headers: HeadersInit = requestId === null ? {} : { 'x-request-id': requestId };
      const body = parsed(responseText);
      resolve({
        data: body as Answered['data'],
        error: body,
        response: new Response(null, { status, headers }),
      });
    };
    request.onerror = () => reject(new TypeError('No answer'));
    request.onabort = request.onerror;
    request.send(form);
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A proxy may have answered.
    return undefined;
  }
}
