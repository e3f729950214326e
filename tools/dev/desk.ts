import { runCommand } from './demo/run-command.js';
import { readDeskOptions, usage } from './desk/options.js';
import { runDesk } from './desk/run-desk.js';

/** `npm run desk`: the chats that wait for a person, to answer them in the terminal. */
await runCommand<{ desk: true }>({
  usage,
  readOptions: readDeskOptions,
  run: async (dev) => {
    await runDesk(dev, process.stdin);
    return 0;
  },
});
