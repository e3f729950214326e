import autocannon from 'autocannon';
import type { Samples } from '../figure.js';
import type { Stage } from '../stage/stage.js';

export interface Load {
  url: string;
  method: 'GET' | 'POST';
  headers?: Record<string, string>;
  body: object | undefined;
  seconds: number;
  /** That every answer has to have; by default one of the successful ones. */
  status?: 200 | 304;
}

/** More than the size of the connection pools, so that the process under load is never idle. */
const connections = 16;

/**
 * Sends requests to one URL for some seconds. @returns the number of successful requests per second
 * @throws when a request fails, because a rate that includes errors is meaningless
 */
export async function requestRate({ url, method, headers, body, seconds, status }: Load): Promise<number> {
  const result = await autocannon({
    url,
    method,
    connections,
    duration: seconds,
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const others = status === 304 ? result['2xx'] + result['4xx'] + result['5xx'] : result.non2xx;
  const failed = others + result.errors + result.timeouts;
  if (failed > 0) throw new Error(`${failed} of ${result.requests.total} requests to ${url} failed`);
  return result.requests.total / result.duration;
}

interface Compared {
  floor: URL;
  /** Below the workspace, for the service; and for the floor unless told otherwise. */
  path: string;
  floorPath?: string;
  /** For the service; and for the floor unless told otherwise. Without it, the request is a GET. */
  body?: object;
  floorBody?: object;
  seconds: number;
}

/**
 * The rates of one request: of a floor that knows no API keys, and of the api with the key of the workspace's admin.
 */
export async function requestRates(
  { startScript, startApi, workspace }: Stage,
  { floor: program, path, floorPath = path, body, floorBody = body, seconds }: Compared,
): Promise<Samples> {
  const [floor, api] = await Promise.all([startScript(program), startApi()]);
  const method = body === undefined ? 'GET' : 'POST';
  const headers = { authorization: `Bearer ${workspace.admin.apiKey}` };
  const onFloor = `${floor.url}/w/${workspace.workspaceId}${floorPath}`;
  const inService = `${api.url}/api/v2${workspace.path(path)}`;
  return {
    floor: () => requestRate({ url: onFloor, method, body: floorBody, seconds }),
    measured: () => requestRate({ url: inService, method, headers, body, seconds }),
  };
}
