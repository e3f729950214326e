import net, { type AddressInfo } from 'node:net';

/** A PostgreSQL server behind a proxy that may go silent, as a host does that vanishes without a word. */
export interface SilentPostgres {
  throughIt(url: string): string;
  /** From now on nothing passes, and no connection ends; new ones are accepted and not answered. */
  fallSilent(): void;
  /** New connections pass again; those from before stay silent. */
  speak(): void;
  close(): Promise<void>;
}

export async function silentPostgres(url: string): Promise<SilentPostgres> {
  const port = Number(new URL(url).port);
  const sockets = new Set<net.Socket>();
  let epoch = 0;
  let isSilent = false;

  const server = net.createServer({ allowHalfOpen: true }, (client) => {
    sockets.add(client);
    client.on('error', () => {});
    if (isSilent) return;
    const begun = epoch;
    const upstream = net.connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    sockets.add(upstream);
    upstream.on('error', () => {});
    const pass = (from: net.Socket, to: net.Socket) => {
      from.on('data', (data) => begun === epoch && to.write(data));
      from.on('end', () => begun === epoch && to.end());
      from.on('close', () => begun === epoch && to.destroy());
    };
    pass(client, upstream);
    pass(upstream, client);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port: ownPort } = server.address() as AddressInfo;

  return {
    throughIt(direct) {
      const through = new URL(direct);
      through.port = String(ownPort);
      return through.toString();
    },
    fallSilent() {
      epoch += 1;
      isSilent = true;
    },
    speak() {
      isSilent = false;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
