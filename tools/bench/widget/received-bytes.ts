import { get } from 'node:http';

/** How many bytes a browser receives for an address, as they are compressed: `fetch` decodes them, and does not say. */
export function receivedBytes(address: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const asked = get(address, { headers: { 'Accept-Encoding': 'gzip, deflate, br' } }, (answer) => {
      let bytes = 0;
      answer.on('data', (part: Buffer) => {
        bytes += part.length;
      });
      answer.on('error', reject);
      answer.on('end', () => {
        if (answer.statusCode === 200) resolve(bytes);
        else reject(new Error(`${address} was answered with ${answer.statusCode}`));
      });
    });
    asked.on('error', reject);
  });
}
