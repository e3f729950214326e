/** Secrets in this repository, for machines that are not reachable from outside. They are public. */
export const knownSecrets: ReadonlySet<string> = new Set([
  // tools/dev/compose/simulators.env
  'simulated',
  'simulated-simulated-simulated-simulated',
  'simulated-login-simulated-login-simulated',
  'simulated-encryption-simulated-encryption',
  'simulated-postgres',
  'simulated-migrator',
  'simulated-app',
  'simulated-relay',
  'simulated-temporal',
  // Defaults of earlier releases of docker-compose.yml
  'postgres',
  'wes_migrator',
  'wes_app',
  'wes_relay',
  // Tests
  'a secret of tests, of more than 32 characters',
  'an encryption key of tests, of more than 32 characters',
]);
