import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const folder = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** `npm run build` writes the console to dist/console, which the api serves at /console. */
export default defineConfig({
  root: folder('.'),
  base: '/console/',
  cacheDir: folder('../node_modules/.vite'),
  build: {
    outDir: folder('../dist/console'),
    emptyOutDir: true,
    target: 'es2023',
    // The policy of the page allows no data in addresses, and browsers that run it preload by themselves.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      onLog(level, log, report) {
        // Packages mark modules for servers that render React. Nothing here does.
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') report(level, log);
      },
    },
  },
});
