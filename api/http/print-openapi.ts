import { routes } from '../resources/index.js';
import { openApiDocument } from './openapi.js';

// `npm run openapi`: the document on stdout, without a database or anything else running.
process.stdout.write(`${JSON.stringify(openApiDocument(routes), null, 2)}\n`);
