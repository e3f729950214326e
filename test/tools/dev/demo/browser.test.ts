import { expect, it } from 'vitest';
import { Browser } from '../../../../tools/dev/demo/mcp/browser.js';
import { useApi } from '../../../support/api/use-api.js';
import { uniqueEmail } from '../../../support/workspace/factories.js';

const { api } = useApi({ policy: { loginCodesPerHour: 1 } });

it('the browser of the demo says what a page says that refuses a form', async () => {
  const browser = new Browser(api.baseUrl);
  const address = uniqueEmail();
  const ask = async () => browser.submit(await browser.open('/sign-in'), '/sign-in', { address });
  await ask();

  await expect(ask()).rejects.toThrow(
    '/sign-in was refused: 429 There were too many tries. Please wait 60 minutes, and try again.',
  );
});
