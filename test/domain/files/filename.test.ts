import { describe, expect, it } from 'vitest';
import { filenameOf } from '../../../domain/files/filename.js';

describe('the name of an uploaded file', () => {
  it.each([
    ['a plain name', 'leaflet.pdf', 'leaflet.pdf'],
    ['no name', null, 'file'],
    ['an empty name', ' ', 'file'],
    ['dots alone', '..', 'file'],
    ['a path', '/etc/passwd', 'passwd'],
    ['a path upwards', '../../secret.txt', 'secret.txt'],
    ['a path of Windows', 'C:\\Users\\kim\\letter.docx', 'letter.docx'],
    ['a path that ends with a slash', 'folder/', 'folder'],
    ['control characters', 'a\u0000b\r\nc.txt', 'abc.txt'],
    ['a right-to-left script', 'نشرة المريض.pdf', 'نشرة المريض.pdf'],
    ['a character that reverses its end', 'invoice\u202efdp.exe', 'invoicefdp.exe'],
    ['half of a surrogate pair', 'a\ud800.txt', 'a.txt'],
    ['an accent of its own', 'e\u0301.txt', 'é.txt'],
  ])('is made of %s', (_what, given, expected) => {
    expect(filenameOf(given)).toBe(expected);
  });

  it('keeps its extension when it is cut', () => {
    const name = filenameOf(`${'ä'.repeat(400)}.pdf`);
    expect([...name]).toHaveLength(200);
    expect(name.endsWith('ä.pdf')).toBe(true);
  });

  it('is cut where the extension is too long to be one', () => {
    expect([...filenameOf(`a.${'b'.repeat(400)}`)]).toHaveLength(200);
  });
});
