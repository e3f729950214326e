import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

/*
 * The floor of uploads and downloads: node:http pipes the same bytes from and to the same folder. An upload is on the disk
 * when it is answered, as in the service. No parts of a form, no digest, no rows.
 */

const folder = String(process.env.STORAGE_FOLDER);

createServer(async (request, response) => {
  if (request.method === 'POST') {
    const path = join(folder, 'spool', randomUUID());
    await pipeline(request, createWriteStream(path));
    const file = await open(path, 'r+');
    await file.sync();
    await file.close();
    await rename(path, join(folder, 'objects', randomUUID()));
    response.writeHead(201).end();
  } else if (request.url === '/') response.end('ready');
  else await pipeline(createReadStream(join(folder, 'objects', String(request.url))), response);
}).listen(Number(process.env.PORT), '127.0.0.1');
