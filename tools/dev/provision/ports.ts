import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { ProvisioningError } from './provisioning-error.js';

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
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

/** @throws ProvisioningError if the port is in use; names the port, its user and the variable that changes it */
export async function refuseTakenPort({ user, variable, port }: NamedPort): Promise<void> {
  if (!(await isPortTaken(port))) return;
  throw new ProvisioningError(
    `Port ${port}, which ${user} needs, is in use by another program. Stop that program, or choose another port with ${variable}.`,
  );
}
