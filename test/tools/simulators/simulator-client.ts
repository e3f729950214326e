/** Talks to a simulator as a test does: JSON in, JSON out. */
export interface SimulatorAnswer<T> {
  status: number;
  body: T;
}

export async function ask<T = unknown>(
  url: string,
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  body?: unknown,
): Promise<SimulatorAnswer<T>> {
  const response = await fetch(`${url}${path}`, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: (text === '' ? undefined : JSON.parse(text)) as T };
}
