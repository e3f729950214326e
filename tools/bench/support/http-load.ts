import autocannon from 'autocannon';

export interface Load {
  url: string;
  method?: 'GET' | 'POST';
  headers?: Record<string, string>;
  body?: unknown;
  seconds: number;
}

/** More than the pools have connections, so that the process under load always has something to do. */
const connections = 16;

/**
 * Puts one address under load. @returns requests a second that were answered as they should be
 * @throws when any was not: a rate of errors is no rate
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
