/** What stands in this repository for machines that nobody else can reach: everybody knows it. */
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
  // Passwords that earlier releases of docker-compose.yml fell back to
  'postgres',
  'wes_migrator',
  'wes_app',
  'wes_relay',
  // Tests
  'a secret of tests, of more than 32 characters',
  'an encryption key of tests, of more than 32 characters',
]);
