import { expect, it } from 'vitest';
import { closeTemporalClient, createTemporalClient, withinDeadline } from '../../runtime/temporal/connect.js';

it('a Temporal client closes once the calls under way have ended, while Temporal is away', async () => {
  const client = createTemporalClient({ address: '127.0.0.1:1', namespace: 'default', tls: false });
  const calls = [1, 2].map(() =>
    withinDeadline(client, Date.now() + 500, () => client.workflowService.getSystemInfo({})),
  );
  let ended = 0;
  for (const call of calls) {
    call.catch(() => {
      ended += 1;
    });
  }

  await closeTemporalClient(client);

  expect(ended).toBe(2);
});
