import type { Samples } from '../figure.js';
import type { Stage } from '../stage/stage.js';
import { gatherStatistics } from '../support/statistics-of-tables.js';
import type { floors } from './floors.js';
import { requestRate } from './request-rate.js';

/** What is asked of the service, with the key of the workspace's admin, and of a floor that knows no keys. */
export interface Request {
  /** Below the workspace, for the service; and for the floor unless told otherwise. */
  path: string;
  floorPath?: string;
  /** For the service, without a key. */
  publicPath?: string;
  /** The service is asked as by a browser that has the answer already, and answers with 304. */
  isKnown?: boolean;
  /** For the service; and for the floor unless told otherwise. Without it, the request is a GET. */
  body?: object;
  floorBody?: object;
}

export async function compareRates(
  { startScript, startApi, workspace, superuserUrl }: Stage,
  name: keyof typeof floors,
  { path, floorPath = path, publicPath, isKnown = false, body, floorBody = body }: Request,
  seconds: number,
): Promise<Samples> {
  const program = new URL('./floor.ts', import.meta.url);
  const [floor, api] = await Promise.all([startScript(program, { env: { FLOOR: name } }), startApi()]);
  const method = body === undefined ? 'GET' : 'POST';
  const onFloor = `${floor.url}/w/${workspace.workspaceId}${floorPath}`;
  const url = `${api.url}${publicPath ?? `/api/v2${workspace.path(path)}`}`;
  const headers = {
    ...(publicPath === undefined && { authorization: `Bearer ${workspace.admin.apiKey}` }),
    ...(isKnown && { 'if-none-match': (await fetch(url)).headers.get('etag') ?? '' }),
  };
  const status = isKnown ? 304 : 200;
  return {
    floor: () => requestRate({ url: onFloor, method, body: floorBody, seconds }),
    measured: () => requestRate({ url, method, headers, body, seconds, status }),
    // What is created fills tables.
    ...(body && { warmedUp: () => gatherStatistics(superuserUrl) }),
  };
}
