const png = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

export function isPng(head: Uint8Array): boolean {
  return png.every((byte, at) => head[at] === byte) && ascii(head, 12, 4) === 'IHDR';
}

export function isJpeg(head: Uint8Array): boolean {
  return head[0] === 0xff && head[1] === 0xd8 && head[2] === 0xff;
}

export function isGif(head: Uint8Array): boolean {
  return /^GIF8[79]a$/.test(ascii(head, 0, 6)) && head.byteLength > 13;
}

/** Reads `length` bytes as ASCII characters. */
export function ascii(bytes: Uint8Array, at: number, length: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + length));
}
