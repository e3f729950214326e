import { fileURLToPath } from 'node:url';

/** The root of the checkout, relative to the compiled file in `dist/tools/dev`. */
export const projectFolder = fileURLToPath(new URL('../../..', import.meta.url));
