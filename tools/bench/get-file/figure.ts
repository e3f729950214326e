import type { Figure } from '../figure.js';
import { addFile } from '../support/add-file.js';
import { requestRates } from '../support/http-load.js';

export const getFile: Figure = {
  name: 'get-file',
  title: 'GET a file, without its bytes',
  unit: 'requests/s',
  target: { ratioAtLeast: 0.6 },
  async prepare(stage, { seconds }) {
    const { id } = await addFile(stage, {
      filename: 'leaflet.txt',
      content: Buffer.from('Drink enough water.'),
    });
    return requestRates(stage, {
      floor: new URL('./floor.ts', import.meta.url),
      path: `/files/${id}`,
      seconds,
    });
  },
};
