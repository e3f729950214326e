import { fileURLToPath } from 'node:url';

/** The checkout, as seen from the compiled files in `dist/tools/dev`. */
export const projectFolder = fileURLToPath(new URL('../../..', import.meta.url));
