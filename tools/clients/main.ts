import { generateClients } from './generate.js';
import { packClients } from './pack.js';

// `npm run clients`: writes the generated files of clients/, and packs both clients.
await generateClients('clients');
await packClients('.artifacts/clients');
