import { type DemoKind, readDemoOptions, usage } from './demo/options.js';
import { runCommand } from './demo/run-command.js';
import { runEmailDemo } from './demo/run-email-demo.js';
import { runHandoffDemo } from './demo/run-handoff-demo.js';
import { runMcpDemo } from './demo/run-mcp-demo.js';
import { runSmsDemo } from './demo/run-sms-demo.js';
import { runVoiceDemo } from './demo/run-voice-demo.js';
import { runWebChatDemo } from './demo/run-web-chat-demo.js';
import type { DevFile } from './launcher/dev-file.js';

const demos: Record<DemoKind, (dev: DevFile) => Promise<string>> = {
  sms: runSmsDemo,
  'web-chat': runWebChatDemo,
  email: runEmailDemo,
  voice: runVoiceDemo,
  handoff: runHandoffDemo,
  mcp: runMcpDemo,
};

/** `npm run demo`: takes one member through the clinic's intake on the running system. */
await runCommand<{ kind: DemoKind }>({
  usage,
  readOptions: readDemoOptions,
  run: async (dev, { kind }) => ((await demos[kind](dev)) === 'completed' ? 0 : 1),
});
