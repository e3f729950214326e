import autocannon from 'autocannon';

export interface Load {
  url: string;
  method?: 'GET' | 'POST';
  headers?: Record<string, string>;
  body?: unknown;
  seconds: number;
}

/** More than the size of the connection pools, so that the process under load is never idle. */
const connections = 16;

/**
 * Sends requests to one URL for some seconds. @returns the number of successful requests per second
 * @throws when a request fails, because a rate that includes errors is meaningless
 */
export async function requestRate({ url, method = 'GET', headers, body, seconds }: Load): Promise<number> {
  const result = await autocannon({
    url,
    method,
    connections,
    duration: seconds,
    headers: {
      ...headers,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const failed = result.non2xx + result.errors + result.timeouts;
  if (failed > 0) throw new Error(`${failed} of ${result.requests.total} requests to ${url} failed`);
  return result.requests.total / result.duration;
}
