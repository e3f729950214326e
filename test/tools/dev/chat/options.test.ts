import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../../tools/dev/arguments.js';
import { readChatOptions } from '../../../../tools/dev/chat/options.js';

describe('the options of the chat', () => {
  it('name a workflow by its id or its name', () => {
    expect(readChatOptions(['7'])).toEqual({ workflow: '7' });
    expect(readChatOptions(['Clinic intake'])).toEqual({ workflow: 'Clinic intake' });
  });

  it.each(['--help', '-h'])('explain themselves with %s', (flag) => {
    expect(readChatOptions([flag])).toEqual({ help: true });
  });

  it.each([
    ['without a workflow', [], 'A workflow is missing.'],
    ['for a name without quotes', ['Clinic', 'intake'], '“intake” is one argument too many'],
    ['for an unknown option', ['--fast'], '--fast'],
  ])('are refused %s', (_, args, message) => {
    expect(() => readChatOptions(args)).toThrow(UsageError);
    expect(() => readChatOptions(args)).toThrow(message);
  });
});
