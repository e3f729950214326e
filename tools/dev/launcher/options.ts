import { ProvisioningError } from '../provision/provisioning-error.js';

export interface LauncherOptions {
  fresh: boolean;
  demo: boolean;
  /** `npm run dev`: rebuild and restart api and worker when their code changes. */
  watch: boolean;
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
