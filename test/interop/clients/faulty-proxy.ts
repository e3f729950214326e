import http from 'node:http';
import { startServer } from '../../providers/misbehaving-server.js';

/** What happens to one request: an answer in place of the service's, or a connection that breaks. */
export type Mishap =
  | { answer: number; headers?: Record<string, string>; body?: string }
  /** The service gets the request, and its answer is lost. */
  | 'answer lost'
  /** The connection breaks after the first bytes of the answer's body that contain this text. */
  | { cutAfter: string };

export interface FaultyProxy {
  baseUrl: string;
  /** The requests that came. */
  requests: { method: string; url: string; headers: http.IncomingHttpHeaders }[];
  /** How many pieces of answers of the service came so far. */
  pieces(): number;
}

/** A proxy before the service that does these mishaps to the first requests, in order, and forwards all others. */
export async function startFaultyProxy(target: string, mishaps: Mishap[]): Promise<FaultyProxy> {
  const requests: FaultyProxy['requests'] = [];
  const left = [...mishaps];
  let pieces = 0;
  const baseUrl = await startServer((request, response) => {
    const { method = 'GET', url = '/', headers } = request;
    requests.push({ method, url, headers });
    const fault = left.shift();
    if (typeof fault === 'object' && 'answer' in fault) {
      request.resume();
      response.writeHead(fault.answer, fault.headers).end(fault.body ?? '<html>Nothing here.</html>');
      return;
    }
    const forwarded = http.request(target + url, { method, headers }, (answer) => {
      if (fault === 'answer lost') {
        answer.resume().on('end', () => response.destroy());
        return;
      }
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.on('data', (chunk: Buffer) => {
        pieces += 1;
        response.write(chunk, () => {
          if (fault !== undefined && chunk.includes(fault.cutAfter)) {
            response.destroy();
            answer.destroy();
          }
        });
      });
      answer.on('end', () => response.end());
      answer.on('error', () => response.destroy());
    });
    response.on('close', () => forwarded.destroy());
    forwarded.on('error', () => response.destroy());
    request.pipe(forwarded);
  });
  return { baseUrl, requests, pieces: () => pieces };
}
