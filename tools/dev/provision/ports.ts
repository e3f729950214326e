import { createServer } from 'node:net';
import { ProvisioningError } from './provisioning-error.js';

/** A port of this machine that nobody listens on just now. */
export async function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => {
        if (address !== null && typeof address === 'object') resolve(address.port);
        else reject(new Error('the server has no port'));
      });
    });
  });
}

/** Whether somebody listens on the port, on any of this machine's addresses. */
export async function isPortTaken(port: number): Promise<boolean> {
  // One after the other: at once they would be in each other's way.
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
  /** The variable that moves it. */
  variable: string;
  port: number;
}

/** @throws ProvisioningError naming the port, who wants it and the variable that moves it */
export async function refuseTakenPort({ user, variable, port }: NamedPort): Promise<void> {
  if (!(await isPortTaken(port))) return;
  throw new ProvisioningError(
    `Port ${port}, which ${user} needs, is in use by another program: end that program, or choose another port with ${variable}.`,
  );
}
