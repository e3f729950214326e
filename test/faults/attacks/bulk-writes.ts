import { type Attack, addOwnType, postAs, type Scene } from './attack.js';

function bulkOf(scene: Scene, dataTypeId: number, fieldValues: object) {
  const records = Array.from({ length: 1_000 }, () => ({ fieldValues }));
  const path = `/data-types/${dataTypeId}/records/bulk`;
  return postAs(scene, scene.workspace.admin.apiKey, path, { records });
}

export const bulkWrites: Attack = {
  name: 'bulk writes of a thousand records',
  expected: [200, 429],
  async prepare(scene) {
    const type = await addOwnType(scene, [
      { slug: 'name', name: 'Name', fieldType: 'text', shouldIndex: true },
      { slug: 'count', name: 'Count', fieldType: 'integer', shouldIndex: true },
      { slug: 'text', name: 'Text', fieldType: 'textarea' },
    ]);
    const values = { name: 'A name like any other', count: 7, text: 'x'.repeat(700) };
    return { requests: [bulkOf(scene, type.id, values)], concurrency: 3 };
  },
};

export const costlyPatterns: Attack = {
  name: 'bulk writes of texts for a pattern that backtracks',
  expected: [200, 429],
  async prepare(scene) {
    const pattern = '.*.*b';
    const type = await addOwnType(scene, [{ slug: 'code', name: 'Code', fieldType: 'text', pattern }]);
    return { requests: [bulkOf(scene, type.id, { code: 'a'.repeat(256) })], concurrency: 3 };
  },
};
