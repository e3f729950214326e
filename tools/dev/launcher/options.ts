import { ProvisioningError } from '../provision/provisioning-error.js';

export interface LauncherOptions {
  fresh: boolean;
  demo: boolean;
  /** `npm run dev`: rebuild and restart api, worker and media when their code changes. */
  watch: boolean;
}

export const usage = `Usage: npm start -- [--fresh] [--no-demo]

Builds and runs the whole system in the foreground, until Ctrl-C.

  --fresh      begins with an empty data folder
  --no-demo    does not show the demo, which the first start does
  -h, --help   shows this text

Ports, the data folder and credentials are variables: see docs/configuration.md.`;

export function asksForHelp(args: readonly string[]): boolean {
  return args.includes('--help') || args.includes('-h');
}

/** @throws ProvisioningError for a flag that does not exist */
export function readOptions(args: readonly string[]): LauncherOptions {
  const known = ['--fresh', '--no-demo'];
  const unknown = args.find((arg) => arg !== '--watch' && !known.includes(arg));
  if (unknown !== undefined) {
    throw new ProvisioningError(
      `${unknown} is not an option of npm start. The options are ${known.join(' and ')}.`,
    );
  }
  return {
    fresh: args.includes('--fresh'),
    demo: !args.includes('--no-demo'),
    watch: args.includes('--watch'),
  };
}
