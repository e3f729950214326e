import { generateClients } from './generate.js';

// `npm run clients`: writes the generated files of clients/.
await generateClients('clients');
