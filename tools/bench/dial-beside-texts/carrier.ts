import { startCarrierSimulator } from '../../simulators/carrier/start-carrier-simulator.js';

await startCarrierSimulator({ port: Number(process.env.PORT) });
