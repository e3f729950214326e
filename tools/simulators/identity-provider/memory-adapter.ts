import type { Adapter, AdapterPayload } from 'oidc-provider';

interface Kept {
  payload: AdapterPayload;
  until: number;
}

/** What the provider keeps, by model and id, for all its instances. Clients are those that were set. */
export class Memory {
  readonly #kept = new Map<string, Kept>();
  readonly clients = new Map<string, AdapterPayload>();

  adapterOf = (model: string): Adapter => {
    const key = (id: string) => `${model}:${id}`;
    const find = (id: string) => {
      const found = this.#kept.get(key(id));
      return found === undefined || found.until < Date.now() ? undefined : found.payload;
    };
    const findBy = (field: 'uid' | 'userCode', value: string) =>
      [...this.#kept.entries()].find(
        ([name, { payload }]) => name.startsWith(`${model}:`) && payload[field] === value,
      )?.[1].payload;
    return {
      upsert: async (id, payload, expiresIn) => {
        this.#kept.set(key(id), { payload, until: Date.now() + (expiresIn ?? 3_600) * 1_000 });
      },
      find: async (id) => (model === 'Client' ? this.clients.get(id) : find(id)),
      findByUid: async (uid) => findBy('uid', uid),
      findByUserCode: async (code) => findBy('userCode', code),
      consume: async (id) => {
        const payload = find(id);
        if (payload !== undefined) payload.consumed = Math.floor(Date.now() / 1_000);
      },
      destroy: async (id) => {
        this.#kept.delete(key(id));
      },
      revokeByGrantId: async (grantId) => {
        for (const [name, { payload }] of this.#kept) {
          if (payload.grantId === grantId) this.#kept.delete(name);
        }
      },
    };
  };
}
