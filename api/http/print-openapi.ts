import { routes } from '../resources/index.js';
import { openApiDocument } from './openapi.js';

// `npm run openapi`: prints the document to stdout. It needs no database or other service.
process.stdout.write(`${JSON.stringify(openApiDocument(routes), null, 2)}\n`);
