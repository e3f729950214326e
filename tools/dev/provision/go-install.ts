import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { findOnPath } from './find-temporal.js';
import { ProvisioningError } from './provisioning-error.js';

export function findGo(): string | undefined {
  return findOnPath('go') ?? ['/usr/local/go/bin/go'].find((file) => existsSync(file));
}

export interface GoInstall {
  go: string;
  /** Package and version. */
  module: string;
  /** The folder that the program is written to. */
  target: string;
  /** For messages. */
  name: string;
  say: (detail: string) => void;
}

/** Builds a program with Go. @throws ProvisioningError */
export async function goInstall({ go, module, target, name, say }: GoInstall): Promise<void> {
  const child = spawn(go, ['install', '-v', module], {
    env: { ...process.env, GOBIN: target },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const end = () => child.kill();
  process.once('exit', end);
  let output = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    output = `${output}${chunk}`.slice(-2_000);
    say(output.trimEnd().split('\n').at(-1) ?? '');
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  process.removeListener('exit', end);
  if (code === 0) return;
  const reason = output.trimEnd().split('\n').at(-1) ?? '';
  throw new ProvisioningError(`${name} could not be built with Go: ${reason}`);
}
