import { type Attack, sendAs } from './attack.js';
import { addOwnType } from './own-type.js';

const bytes = 1_048_000;

/** Bodies of a mebibyte: nested without end, and of half a million values. */
export const deepBodies: Attack = {
  name: 'bodies that are deep, and wide',
  expected: [400, 429],
  async prepare(scene) {
    const { workspace } = scene;
    const type = await addOwnType(scene, [{ slug: 'any', name: 'Any', fieldType: 'json' }]);
    const path = `/data-types/${type.id}/records`;
    const deep = '['.repeat(bytes / 2) + ']'.repeat(bytes / 2);
    const wide = `[${'0,'.repeat(bytes / 2 - 100)}0]`;
    const bodies = [
      `{"fieldValues":{"any":${deep.slice(100, -100)}}}`,
      `{"fieldValues":{"any":${wide}}}`,
      `{"fieldValues":${wide}}`,
    ];
    return {
      requests: bodies.map((body) => sendAs(scene, workspace.admin.apiKey, 'POST', path, body)),
      concurrency: 3,
    };
  },
};
