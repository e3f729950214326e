import { expect, it } from 'vitest';
import { findNoMms } from '../../../../domain/channels/sms/mms-media.js';

const file = (mimeType: string, fileSize = 1_000) => ({ mimeType, fileSize });
const png = (fileSize?: number) => file('image/png', fileSize);
const pdf = (fileSize?: number) => file('application/pdf', fileSize);

it.each([
  ['no files', []],
  ['pictures of 5 MB together', [png(4_000_000), file('image/jpeg', 1_000_000)]],
  ['ten files of several kinds', [...Array(8).fill(png()), pdf(500_000), file('video/mp4')]],
])('MMS carries %s', (_, files) => {
  expect(findNoMms(files)).toBeUndefined();
});

it.each([
  ['an SVG', [png(), file('image/svg+xml')], 1, 'kind'],
  ['a text, which handsets do not show', [file('text/plain')], 0, 'kind'],
  ['a Word document', [file('application/msword')], 0, 'kind'],
  ['a PDF of more than 500 kB', [pdf(500_001)], 0, '500 kB'],
  ['pictures of more than 5 MB together', [png(4_000_000), png(1_000_001)], 1, '5 MB'],
  ['an empty file', [png(0)], 0, 'empty'],
])('MMS does not carry %s', (_, files, place, problem) => {
  expect(findNoMms(files)).toEqual({ place, problem: expect.stringContaining(problem) });
});
