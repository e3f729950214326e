import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { wavHeader, wavHeaderBytes } from '../../../../domain/calls/recordings/wav.js';
import { temporaryFolder } from '../../../support/lib/temporary-folder.js';

it('describes two channels of µ-law at 8 kHz', () => {
  const header = wavHeader(12_000);
  expect(header).toHaveLength(58);
  expect(wavHeaderBytes).toBe(58);
  const names = [0, 8, 12, 38, 50].map((at) => header.toString('latin1', at, at + 4));
  expect(names).toEqual(['RIFF', 'WAVE', 'fmt ', 'fact', 'data']);
  const [riff, format, fact, frames, data] = [4, 16, 42, 46, 54].map((at) => header.readUInt32LE(at));
  expect({ riff, format, fact, frames, data }).toEqual({
    riff: 58 + 24_000 - 8,
    format: 18,
    fact: 4,
    frames: 12_000,
    data: 24_000,
  });
  expect([20, 22, 32, 34, 36].map((at) => header.readUInt16LE(at))).toEqual([7, 2, 2, 8, 0]);
  expect([24, 28].map((at) => header.readUInt32LE(at))).toEqual([8_000, 16_000]);
});

it('is known to others', () => {
  const path = join(temporaryFolder(), 'call.wav');
  writeFileSync(path, Buffer.concat([wavHeader(8_000), Buffer.alloc(16_000, 0xff)]));
  expect(execFileSync('file', ['--brief', path], { encoding: 'utf8' })).toMatch(
    /WAVE audio, ITU G\.711 mu-law, stereo 8000 Hz/,
  );
});
