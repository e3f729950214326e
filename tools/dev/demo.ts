import { type DemoChannel, readDemoOptions, usage } from './demo/options.js';
import { runCommand } from './demo/run-command.js';
import { runEmailDemo } from './demo/run-email-demo.js';
import { runSmsDemo } from './demo/run-sms-demo.js';
import { runVoiceDemo } from './demo/run-voice-demo.js';
import { runWebChatDemo } from './demo/run-web-chat-demo.js';
import type { DevFile } from './launcher/dev-file.js';

const demos: Record<DemoChannel, (dev: DevFile) => Promise<string>> = {
  sms: runSmsDemo,
  'web-chat': runWebChatDemo,
  email: runEmailDemo,
  voice: runVoiceDemo,
};

/** `npm run demo`: takes one member through the clinic's intake on the running system. */
await runCommand<{ channel: DemoChannel }>({
  usage,
  readOptions: readDemoOptions,
  run: async (dev, { channel }) => ((await demos[channel](dev)) === 'completed' ? 0 : 1),
});
