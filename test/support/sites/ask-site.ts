import { request } from 'node:http';

export interface SiteAnswer {
  status: number;
  headers: Record<string, string | undefined>;
  text: string;
}

export interface SiteAsking {
  method?: string;
  headers?: Record<string, string>;
}

/** Asks an api as a browser does, with whatever host and path: `fetch` would refuse the one and repair the other. */
export function askSite(
  baseUrl: string,
  path: string,
  { method = 'GET', headers = {} }: SiteAsking = {},
): Promise<SiteAnswer> {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve, reject) => {
    const asked = request({ hostname, port, path, method, headers }, (answer) => {
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.on('error', reject);
      answer.on('end', () =>
        resolve({
          status: answer.statusCode ?? 0,
          headers: answer.headers as SiteAnswer['headers'],
          text: Buffer.concat(parts).toString(),
        }),
      );
    });
    asked.on('error', reject);
    asked.end();
  });
}
