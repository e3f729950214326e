import { runProgram } from '../support/run-program.js';
import { startWebsite } from './start-website.js';

await runProgram('website', 4018, async (port, host) => {
  const website = await startWebsite({ port, sitePort: Number(process.env.SITE_PORT ?? 4019), host });
  console.log(`The site itself: ${website.site}`);
  return website;
});
