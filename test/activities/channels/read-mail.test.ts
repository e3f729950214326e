import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readMail } from '../../../activities/channels/read-mail.js';
import { mimeOf, multipart } from '../../support/emails/mime.js';
import { temporaryFolder } from '../../support/lib/temporary-folder.js';

const ample = { lineMs: 60_000, wholeMs: 60_000, memoryMb: 512, outputBytes: 16_777_216 };

function reading(mime: Buffer) {
  const place = temporaryFolder();
  const path = join(place, 'mail');
  writeFileSync(path, mime);
  return { path, partsPath: join(place, 'part') };
}

describe('the process that reads a mail', () => {
  it('writes its text, and its attachments into files', async () => {
    const text = [
      'Content-Type: text/plain; charset=iso-8859-1',
      'Content-Transfer-Encoding: quoted-printable',
      '',
      'Espa=F1a',
    ];
    const file = ['Content-Type: text/plain; name=a.txt', 'Content-Disposition: attachment', '', 'Attached'];
    const mail = reading(mimeOf({ from: 'ana@example.org', body: multipart('mixed', text, file) }));
    expect(await readMail(mail)).toMatchObject({
      subject: 'Appointment',
      text: expect.stringMatching(/^España\s*$/),
      attachments: [{ filename: 'a.txt', mimeType: 'text/plain', bytes: 8 }],
    });
    expect(readFileSync(`${mail.partsPath}.0`, 'utf8')).toBe('Attached');
  });

  it('refuses a mail of 5,000 parts', async () => {
    const parts = Array.from({ length: 5_000 }, () => ['', 'x']);
    expect(
      await readMail(reading(mimeOf({ from: 'a@x.example', body: multipart('mixed', ...parts) }))),
    ).toBeUndefined();
  });

  it('is killed when it takes too long, or too much memory', async () => {
    const mime = mimeOf({ from: 'ana@example.org' });
    const late = readMail({ ...reading(mime), limits: { ...ample, wholeMs: 1 } });
    await expect(late).rejects.toMatchObject({ reason: 'time' });
    const large = readMail({ ...reading(mime), limits: { ...ample, memoryMb: 20 } });
    await expect(large).rejects.toMatchObject({ reason: expect.stringMatching(/^(memory|crashed)$/) });
  });
});
