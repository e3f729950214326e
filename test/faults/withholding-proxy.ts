import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface WithholdingProxy {
  url: string;
  withheld(): number;
  /** Whether answers are kept back from now on; they are from the beginning. */
  withhold(withholds: boolean): void;
  close(): Promise<void>;
}

/** Passes requests on and keeps the answers: the other side has taken them, and whoever asked never learns it. */
export async function startWithholdingProxy(target: string): Promise<WithholdingProxy> {
  let withholds = true;
  let withheld = 0;
  const server = createServer((incoming, outcome) => {
    const { method, headers, url = '/' } = incoming;
    const options = method === undefined ? { headers } : { headers, method };
    const outgoing = request(new URL(url, target), options, (answer) => {
      if (!withholds) {
        outcome.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outcome);
        return;
      }
      answer.resume();
      answer.once('end', () => {
        withheld += 1;
      });
    });
    outgoing.once('error', () => outcome.destroy());
    incoming.pipe(outgoing);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    withheld: () => withheld,
    withhold(value) {
      withholds = value;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
