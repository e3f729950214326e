import { readChatOptions, usage } from './chat/options.js';
import { runChat } from './chat/run-chat.js';
import { runCommand } from './demo/run-command.js';

/** `npm run chat`: a new member goes through a workflow in a web chat, with what is typed in the terminal. */
await runCommand<{ workflow: string }>({
  usage,
  readOptions: readChatOptions,
  run: async (dev, { workflow }) => {
    await runChat(dev, workflow, process.stdin);
    return 0;
  },
});
