import { adminClient } from './demo/api-client.js';
import { runCommand } from './demo/run-command.js';
import { readDeskOptions, usage } from './desk/options.js';
import { runDesk } from './desk/run-desk.js';

/** `npm run desk`: the chats that wait for a person, to answer them in the terminal. */
await runCommand<{ desk: true }>({
  usage,
  readOptions: readDeskOptions,
  run: async (dev) => {
    await runDesk(adminClient(dev), process.stdin);
    return 0;
  },
});
