import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { ProvisioningError } from './provisioning-error.js';

/** Below those that systems give to programs that name no port, which they could otherwise give away meanwhile. */
const [firstPort, lastPort] = [10_240, 32_767];
const given = new Set<number>();

/** A port in no use, and another one each time. Nothing gets it by chance until the caller uses it. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(firstPort, lastPort + 1);
    if (given.has(port) || (await isPortTaken(port))) continue;
    given.add(port);
    return port;
  }
}

/** Whether the port is in use on the loopback address or on any other address of this machine. */
export async function isPortTaken(port: number): Promise<boolean> {
  // Sequential, because the two probes would conflict with each other.
  return (await cannotListen(port, '127.0.0.1')) || (await cannotListen(port, '0.0.0.0'));
}

function cannotListen(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(true));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(false)));
  });
}

export interface NamedPort {
  /** What listens there: `the api`. */
  user: string;
  variable: string;
  port: number;
}

/** @throws ProvisioningError if two of them are the same; names their variables */
export function refuseSamePorts(ports: readonly NamedPort[]): void {
  const users = new Map<number, NamedPort>();
  for (const one of ports) {
    const other = users.get(one.port);
    if (other !== undefined) {
      throw new ProvisioningError(
        `${other.variable} and ${one.variable} are the same port, ${one.port}. Choose another one for ${one.user}.`,
      );
    }
    users.set(one.port, one);
  }
}

/** @throws ProvisioningError if the port is in use; names the port, its user and the variable that changes it */
export async function refuseTakenPort({ user, variable, port }: NamedPort): Promise<void> {
  if (!(await isPortTaken(port))) return;
  throw new ProvisioningError(
    `Port ${port}, which ${user} needs, is in use by another program. Stop that program, or choose another port with ${variable}.`,
  );
}
