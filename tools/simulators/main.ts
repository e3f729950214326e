import type { RunningSimulator } from './support/serve.js';

/**
 * Runs the simulators that its arguments name, in one process, and stops them on a signal. Reads `HOST` and the variables
 * of their ports, as `npm start` does (tools/simulators/README.md).
 */

interface Place {
  port: number;
  host: string;
}

interface Simulator {
  title: string;
  /** The variable of its port, and the port without it. */
  port: readonly [variable: string, otherwise: number];
  start(at: Place): Promise<RunningSimulator>;
}

const simulators: Readonly<Record<string, Simulator>> = {
  carrier: {
    title: 'carrier',
    port: ['CARRIER_SIMULATOR_PORT', 4010],
    async start(at) {
      const { startCarrierSimulator } = await import('./carrier/start-carrier-simulator.js');
      const { SIMULATED_ACCOUNT_SID: accountSid, SIMULATED_AUTH_TOKEN: authToken } = process.env;
      return startCarrierSimulator({ ...at, accountSid, authToken });
    },
  },
  model: {
    title: 'chat model',
    port: ['MODEL_SIMULATOR_PORT', 4011],
    start: async (at) => (await import('./model/start-model-simulator.js')).startModelSimulator(at),
  },
  mail: {
    title: 'mail server',
    port: ['MAIL_SIMULATOR_PORT', 4013],
    async start(at) {
      const { startMailSimulator } = await import('./mail/start-mail-simulator.js');
      return startMailSimulator({ ...at, smtpPort: portOf('MAIL_SIMULATOR_SMTP_PORT', 4012) });
    },
  },
  'webhook-sink': {
    title: 'webhook receiver',
    port: ['WEBHOOK_SINK_PORT', 4014],
    start: async (at) => (await import('./webhook-sink/start-webhook-sink.js')).startWebhookSink(at),
  },
  'identity-provider': {
    title: 'identity provider',
    port: ['IDENTITY_PROVIDER_PORT', 4015],
    start: async (at) =>
      (await import('./identity-provider/start-identity-provider.js')).startIdentityProvider(at),
  },
  'mcp-server': {
    title: 'MCP server',
    port: ['MCP_SERVER_SIMULATOR_PORT', 4016],
    start: async (at) => (await import('./mcp-server/start-mcp-server.js')).startMcpServer(at),
  },
  dns: {
    title: 'DNS server',
    port: ['DNS_SIMULATOR_PORT', 4017],
    start: async (at) => (await import('./dns/start-dns-server.js')).startDnsServer(at),
  },
  website: {
    title: 'website',
    port: ['WEBSITE_SIMULATOR_PORT', 4018],
    async start(at) {
      const { startWebsite } = await import('./website/start-website.js');
      return startWebsite({ ...at, sitePort: portOf('WEBSITE_PORT', 4019) });
    },
  },
};

function portOf(variable: string, otherwise: number): number {
  const port = Number(process.env[variable] ?? otherwise);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) fail(`${variable} has to be a port number.`);
  return port;
}

function fail(sentence: string): never {
  console.error(sentence);
  process.exit(1);
}

async function run(name: string): Promise<RunningSimulator> {
  const known = Object.keys(simulators).join(', ');
  const { title, port: named, start } = simulators[name] ?? fail(`Name simulators to run: ${known}.`);
  const port = portOf(...named);
  try {
    const simulator = await start({ port, host: process.env.HOST ?? '127.0.0.1' });
    console.log(
      `Simulated ${title} at ${simulator.url}. It only pretends: nothing here reaches the real world.`,
    );
    return simulator;
  } catch (error) {
    const taken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
    return fail(`The simulated ${title} cannot start${taken ? `: port ${port} is in use` : ''}.`);
  }
}

const names = process.argv.slice(2);
const running = await Promise.all((names.length > 0 ? names : ['']).map(run));
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () =>
    Promise.all(running.map((simulator) => simulator.close())).then(() => process.exit(0)),
  );
}
