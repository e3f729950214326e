import autocannon from 'autocannon';

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
