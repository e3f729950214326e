import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../../tools/dev/arguments.js';
import { readDemoOptions, usage } from '../../../../tools/dev/demo/options.js';

describe('the options of the demo', () => {
  it('choose a channel, by default SMS', () => {
    expect(readDemoOptions([])).toEqual({ kind: 'sms' });
    expect(readDemoOptions(['--channel', 'web-chat'])).toEqual({ kind: 'web-chat' });
    expect(readDemoOptions(['--channel=sms'])).toEqual({ kind: 'sms' });
  });

  it('choose the demo of an AI client instead', () => {
    expect(readDemoOptions(['--mcp'])).toEqual({ kind: 'mcp' });
  });

  it('choose the demo with a colleague instead', () => {
    expect(readDemoOptions(['--handoff'])).toEqual({ kind: 'handoff' });
  });

  it.each(['--help', '-h'])('explain themselves with %s', (flag) => {
    expect(readDemoOptions([flag])).toEqual({ help: true });
    expect(usage).toContain('--channel <channel>   sms, web-chat, email or voice; default: sms');
  });

  it.each([
    ['an unknown option', ['--fast'], '--fast'],
    ['a missing value', ['--channel'], '--channel'],
    ['an unknown channel', ['--channel', 'fax'], 'sms, web-chat, email or voice, not “fax”'],
    ['a channel of the AI client', ['--mcp', '--channel', 'sms'], '--mcp is a demo of its own'],
    ['a channel of the colleague', ['--handoff', '--channel', 'sms'], '--handoff is a demo of its own'],
    ['two demos at once', ['--handoff', '--mcp'], '--handoff is a demo of its own'],
    ['an argument without an option', ['web-chat'], 'web-chat'],
  ])('are refused for %s, which the message names', (_, args, named) => {
    expect(() => readDemoOptions(args)).toThrow(UsageError);
    expect(() => readDemoOptions(args)).toThrow(named);
  });
});
